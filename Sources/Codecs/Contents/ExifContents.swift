import CodecKit
import Model

extension FileContents {
  /// Adds a block of Exif metadata that takes `bytes` in the file: its size, its thumbnail and its texts.
  mutating func addExif(_ tiff: ArraySlice<UInt8>, bytes: Int) {
    let thumbnail = ExifThumbnail.find(in: tiff)?.file.count ?? 0
    add(.exifThumbnail, bytes: thumbnail)
    add(.exif, bytes: bytes - thumbnail)
    making.software = making.software ?? ExifText.find(.software, in: tiff)
    let (make, model) = (ExifText.find(.make, in: tiff), ExifText.find(.model, in: tiff))
    // Many models repeat their maker.
    let isRepeated = model?.lowercased().hasPrefix(make?.lowercased() ?? "") ?? false
    making.camera = making.camera ?? [isRepeated ? nil : make, model].compactMap(\.self).spaced
  }
}

extension [String] {
  fileprivate var spaced: String? { isEmpty ? nil : joined(separator: " ") }
}

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

  /// The text before the first zero byte, on one line; nil if empty.
  static func clean(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(longestText), as: UTF8.self)
    let line = PlainText.line(text).drop(while: \.isWhitespace)
    return line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) }
  }
}
