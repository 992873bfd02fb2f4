import Model

@testable import Codecs

/// A small JPEG file with metadata of all kinds put into it, segment by segment.
struct SegmentedJPEG {
  /// The segments that come first, whole.
  var segments: [[UInt8]] = []
  /// A file whose own segments and picture follow.
  var picture: [UInt8]
  /// What stands behind the picture.
  var tail: [UInt8] = []

  /// The whole file.
  var bytes: [UInt8] { [0xFF, 0xD8] + segments.joined() + picture.dropFirst(2) + tail }

  /// A segment: its marker and its body.
  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [
      0xFF, marker, UInt8(truncatingIfNeeded: (body.count + 2) >> 8),
      UInt8(truncatingIfNeeded: body.count + 2),
    ]
      + body
  }

  /// Metadata with a thumbnail of these bytes.
  static func exif(thumbnail: [UInt8]) -> [UInt8] {
    // An empty first directory, then one with the thumbnail's place and length.
    let start = 8 + 6 + 2 + 24 + 4
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var tiff = Array("MM".utf8) + number(42, 2) + number(8, 4) + number(0, 2) + number(14, 4)
    tiff += number(2, 2)
    for (tag, value) in [(0x0201, start), (0x0202, thumbnail.count)] {
      tiff += number(tag, 2) + number(4, 2)
      tiff += number(1, 4) + number(value, 4)
    }
    tiff += number(0, 4)
    return segment(0xE1, Array("Exif\0\0".utf8) + tiff + thumbnail)
  }

  static func xmp(_ text: String) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>\(text)</x:xmpmeta>".utf8))
  }

  static func profile(_ chunk: [UInt8], _ number: UInt8, of count: UInt8) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + chunk)
  }

  static func comment(_ text: String) -> [UInt8] { segment(0xFE, Array(text.utf8)) }
}
