import CodecKit
import Model

/// Texts in a block of Exif metadata (CIPA DC-008, 4.6.4).
enum ExifText {
  /// Tags of the first image directory.
  enum Tag: Int {
    case make = 271
    case model = 272
    case software = 305
  }

  /// More than any program writes.
  private static let longestText = 256

  /// A text of the first image directory; nil where there is none.
  static func find(_ tag: Tag, in tiff: ArraySlice<UInt8>) -> String? {
    var reader = ByteReader(tiff)
    switch reader.word(at: 0) {
    case 0x4949: reader.isLittleEndian = true
    case 0x4D4D: break
    default: return nil
    }
    guard reader.word(at: 2) == 42, let directory = reader.long(at: 4),
      let entries = reader.word(at: directory)
    else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + 12 * index
      guard let found = reader.word(at: entry) else { return nil }
      guard found == tag.rawValue else { continue }
      // Type 2 is ASCII; up to four bytes lie in the entry itself.
      guard reader.word(at: entry + 2) == 2, let count = reader.long(at: entry + 4), count > 0,
        let start = count <= 4 ? entry + 8 : reader.long(at: entry + 8),
        let bytes = reader.part(at: start, length: min(count, longestText))
      else { return nil }
      return clean(bytes)
    }
    return nil
  }

  /// Adds what a block of Exif metadata says of program and camera.
  static func describe(_ tiff: ArraySlice<UInt8>, in making: inout FileMaking) {
    making.software = making.software ?? find(.software, in: tiff)
    guard making.camera == nil else { return }
    let (make, model) = (find(.make, in: tiff), find(.model, in: tiff))
    // Many a model repeats its maker.
    if let make, let model, !model.lowercased().hasPrefix(make.lowercased()) {
      making.camera = "\(make) \(model)"
    } else {
      making.camera = model ?? make
    }
  }

  /// A text up to its first zero byte on one line; nil where nothing is left of it.
  static func clean(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(longestText), as: UTF8.self)
    let line = PlainText.line(text).trimmed
    return line.isEmpty ? nil : line
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
