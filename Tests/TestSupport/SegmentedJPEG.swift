/// A small JPEG file with metadata of all kinds inserted as segments.
package struct SegmentedJPEG {
  /// The complete segments that come first.
  package var segments: [[UInt8]] = []
  /// The file whose own segments and picture follow.
  package var picture: [UInt8]
  /// The bytes after the picture.
  package var tail: [UInt8] = []

  package init(segments: [[UInt8]] = [], picture: [UInt8], tail: [UInt8] = []) {
    (self.segments, self.picture, self.tail) = (segments, picture, tail)
  }

  /// The whole file.
  package var bytes: [UInt8] { [0xFF, 0xD8] + segments.joined() + picture.dropFirst(2) + tail }

  /// A segment: its marker and its body.
  package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [
      0xFF, marker, UInt8(truncatingIfNeeded: (body.count + 2) >> 8),
      UInt8(truncatingIfNeeded: body.count + 2),
    ]
      + body
  }

  /// Metadata with a camera's model and a thumbnail of these bytes.
  package static func exif(thumbnail: [UInt8], model: String = "") -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + tiff(thumbnail: thumbnail, model: model))
  }

  /// Only the block of Exif metadata.
  package static func tiff(thumbnail: [UInt8], model: String = "") -> [UInt8] {
    // The first directory has the model or is empty, and the second has the thumbnail's offset and length.
    let text = model.isEmpty ? [] : Array(model.utf8) + [UInt8](repeating: 0, count: 6 - model.utf8.count % 2)
    let first = 8 + 6 + (text.isEmpty ? 0 : 12 + text.count)
    let start = first + 2 + 24 + 4
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var tiff = Array("MM".utf8) + number(42, 2) + number(8, 4) + number(text.isEmpty ? 0 : 1, 2)
    if !text.isEmpty { tiff += number(272, 2) + number(2, 2) + number(text.count, 4) + number(26, 4) }
    tiff += number(first, 4) + text
    tiff += number(2, 2)
    for (tag, value) in [(0x0201, start), (0x0202, thumbnail.count)] {
      tiff += number(tag, 2) + number(4, 2)
      tiff += number(1, 4) + number(value, 4)
    }
    return tiff + number(0, 4) + thumbnail
  }

  package static func xmp(_ text: String) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>\(text)</x:xmpmeta>".utf8))
  }

  package static func profile(_ chunk: [UInt8], _ number: UInt8, of count: UInt8) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + chunk)
  }

  package static func comment(_ text: String) -> [UInt8] { segment(0xFE, Array(text.utf8)) }
}
