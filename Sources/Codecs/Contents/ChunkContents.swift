package import CodecKit
package import Model
import Pixels

// Metadata and further images in files, by the types of their chunks or boxes. Pure Swift, so that the parent process
// may ask.

extension PNGReader {
  /// Chunks of a PNG file (ISO/IEC 15948).
  package func contents(of bytes: [UInt8]) -> FileContents {
    var contents = FileContents()
    let reader = ByteReader(bytes)
    var position = PNGChunks.signature.count
    var frames = 0
    while let length = reader.long(at: position), let name = reader.part(at: position +| 4, length: 4),
      let body = reader.part(at: position +| 8, length: length)
    {
      switch String(decoding: name, as: UTF8.self) {
      case "IHDR": if ByteReader(body).byte(at: 8) == 16 { contents.add(.deepSamples, bytes: 0) }
      case "eXIf": contents.addExif(body, bytes: length)
      case "iCCP": contents.add(.icc, bytes: length)
      case "iTXt" where body.starts(with: "XML:com.adobe.xmp\0".utf8): contents.add(.xmp, bytes: length)
      case "tEXt", "zTXt", "iTXt":
        contents.add(.comment, bytes: length)
        guard body.starts(with: "Software\0".utf8) else { break }
        contents.making.software = contents.making.software ?? ExifText.clean(body.dropFirst(9))
      case "fdAT": frames +|= length
      default: break
      }
      position +|= 12 +| length
    }
    contents.add(.sequence, bytes: frames)
    return contents
  }
}

extension WebPReader {
  /// Chunks of a WebP file (RFC 9649).
  package func contents(of bytes: [UInt8]) -> FileContents {
    var contents = FileContents()
    let reader = ByteReader(bytes, isLittleEndian: true)
    var position = 12
    var frames = 0
    while let name = reader.part(at: position, length: 4), let length = reader.long(at: position +| 4),
      let body = reader.part(at: position +| 8, length: length)
    {
      switch String(decoding: name, as: UTF8.self) {
      case "EXIF":
        let tiff = body.starts(with: "Exif\0\0".utf8) ? body.dropFirst(6) : body
        contents.addExif(tiff, bytes: tiff.count)
      case "XMP ": contents.add(.xmp, bytes: length)
      case "ICCP": contents.add(.icc, bytes: length)
      case "ANMF": frames +|= length
      case "ALPH": contents.add(.alpha, bytes: length)
      case "VP8 ", "VP8L", "VP8X", "ANIM": break
      default: contents.add(.other, bytes: length)
      }
      position +|= 8 +| length +| length & 1
    }
    contents.add(.sequence, bytes: frames)
    return contents
  }
}

extension JPEGXLReader {
  /// Boxes of a JPEG XL file (ISO/IEC 18181-2). A profile coded inside the codestream is not reported.
  package func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents {
    var contents = FileContents()
    if try JPEGXLHeader(bytes).bitDepth > 8 { contents.add(.deepSamples, bytes: 0) }
    guard bytes.starts(with: JPEGXLHeader.signature) else { return contents }
    for box in try HEIFBox.list(in: bytes[...], isTruncationAllowed: true) {
      // Brotli-compressed boxes begin with the type of their content.
      let type =
        box.type == "brob"
        ? FourCC(UInt32(truncatingIfNeeded: ByteReader(box.payload).long(at: 0) ?? 0)) : box.type
      switch type {
      case "Exif":
        if box.type == "Exif", let tiff = HEIFItems.tiff(in: box.payload) {
          contents.addExif(tiff, bytes: tiff.count)
        } else {
          contents.add(.exif, bytes: box.payload.count)
        }
      case "xml ": contents.add(.xmp, bytes: box.payload.count)
      case "jhgm": contents.add(.gainMap, bytes: box.payload.count)
      case "JXL ", "ftyp", "jxlc", "jxlp", "jxll", "jxli", "jbrd": break
      default: contents.add(.other, bytes: box.payload.count)
      }
    }
    return contents
  }
}

extension JPEGReader {
  package func contents(of bytes: [UInt8]) -> FileContents { JPEGContents(bytes).contents }
}

extension HEIFReader {
  package func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents {
    try HEIFContents(bytes).contents
  }
}

extension FileContents {
  /// Adds a block of Exif metadata that takes `bytes` in the file: its size, its thumbnail and its texts.
  mutating func addExif(_ tiff: ArraySlice<UInt8>, bytes: Int) {
    let thumbnail = ExifThumbnail.find(in: tiff)?.file.count ?? 0
    add(.exifThumbnail, bytes: thumbnail)
    add(.exif, bytes: bytes -| thumbnail)
    making.software = making.software ?? ExifText.find(.software, in: tiff)
    making.camera =
      making.camera
      ?? FileMaking.camera(make: ExifText.find(.make, in: tiff), model: ExifText.find(.model, in: tiff))
  }
}

extension FileMaking {
  /// A camera's maker and model; nil without both.
  static func camera(make: String?, model: String?) -> String? {
    // Many models repeat their maker.
    let isRepeated = model?.lowercased().hasPrefix(make?.lowercased() ?? "") ?? false
    let names = [isRepeated ? nil : make, model].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: " ")
  }
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
    guard let count = reader.long(at: entry +| 4), count > 0,
      let start = count <= 4 ? entry +| 8 : reader.long(at: entry +| 8),
      let bytes = reader.part(at: start, length: min(count, longestText))
    else { return nil }
    return clean(bytes)
  }

  /// The text before the first zero byte, on one line; nil if empty.
  static func clean(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(Self.longestText), as: UTF8.self)
    let line = PlainText.line(text).drop(while: \.isWhitespace)
    return line.isEmpty ? nil : String(line.reversed().drop(while: \.isWhitespace).reversed())
  }
}
