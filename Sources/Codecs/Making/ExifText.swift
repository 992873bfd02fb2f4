import CodecKit
import Model

/// Texts in a block of Exif metadata (CIPA DC-008, 4.6.4).
enum ExifText {
  enum Tag: Int {
    case make = 271
    case model = 272
    case software = 305
  }

  /// Bytes; more than any program writes.
  private static let longestText = 256

  static func find(_ tag: Tag, in tiff: ArraySlice<UInt8>) -> String? {
    guard let directory = ExifDirectory(tiff), let entry = directory.entry(tag.rawValue, .ascii) else {
      return nil
    }
    let reader = directory.reader
    // Up to four bytes are stored in the entry itself.
    guard let count = reader.long(at: entry + 4), count > 0,
      let start = count <= 4 ? entry + 8 : reader.long(at: entry + 8),
      let bytes = reader.part(at: start, length: min(count, longestText))
    else { return nil }
    return clean(bytes)
  }

  static func describe(_ tiff: ArraySlice<UInt8>, in making: inout FileMaking) {
    making.software = making.software ?? find(.software, in: tiff)
    guard making.camera == nil else { return }
    let (make, model) = (find(.make, in: tiff), find(.model, in: tiff))
    // Many models repeat their maker.
    if let make, let model, !model.lowercased().hasPrefix(make.lowercased()) {
      making.camera = "\(make) \(model)"
    } else {
      making.camera = model ?? make
    }
  }

  /// The text before the first zero byte, on one line; nil if empty.
  static func clean(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(longestText), as: UTF8.self)
    let line = PlainText.line(text).trimmed
    return line.isEmpty ? nil : line
  }
}

extension String {
  fileprivate var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
