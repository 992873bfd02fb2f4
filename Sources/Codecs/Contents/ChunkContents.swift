package import CodecKit
package import Model
import Pixels

// Metadata and further images in files, by the types of their chunks or boxes. Pure Swift, so the parent process may
// use it.

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
      case "IHDR":
        if ByteReader(body).byte(at: 8) == 16 { contents.add(.deepSamples, bytes: 0) }
        // Colour types 4 and 6.
        if (ByteReader(body).byte(at: 9) ?? 0) & 4 != 0 { contents.add(.alpha, bytes: 0) }
      case "tRNS": contents.add(.alpha, bytes: length)
      case "eXIf": contents.addExif(body, bytes: length)
      case "iCCP": contents.add(.icc, bytes: length, plain: PNGText(body, .profile)?.plainBytes)
      case "tEXt": contents.addText(PNGText(body, .plain), bytes: length)
      case "zTXt": contents.addText(PNGText(body, .compressed), bytes: length)
      case "iTXt": contents.addText(PNGText(body, .international), bytes: length)
      case "fdAT": frames +|= length
      default: break
      }
      position +|= 12 +| length
    }
    contents.add(.sequence, bytes: frames)
    return contents
  }
}

/// A chunk that begins with a keyword, followed by text or a profile (ISO/IEC 15948, 11.3.3 and 11.3.4).
private struct PNGText {
  enum Form { case plain, compressed, international, profile }

  let keyword: String
  /// The bytes after the keyword, as stored.
  let body: ArraySlice<UInt8>
  /// The number of bytes after decompression.
  let plainBytes: Int

  /// Returns nil without a keyword.
  init?(_ chunk: ArraySlice<UInt8>, _ form: Form) {
    let reader = ByteReader(chunk)
    guard let end = reader.offset(of: 0, from: 0), let name = reader.part(at: 0, length: end) else {
      return nil
    }
    keyword = String(decoding: name, as: UTF8.self)
    var start = end +| 1
    var isCompressed = form != .plain
    if form == .international {
      isCompressed = reader.byte(at: start) == 1
      // Skips a language and a translated keyword.
      start +|= 2
      for _ in 0..<2 { start = (reader.offset(of: 0, from: start) ?? reader.count) +| 1 }
    } else if isCompressed {
      start +|= 1
    }
    let rest = reader.rest(from: start) ?? []
    body = rest
    plainBytes = isCompressed ? DeflatedLength.bytes(ofZlib: rest) ?? rest.count : rest.count
  }

  /// The name, such as `exif` or `APP1`, of the block that ImageMagick writes as lines of hexadecimal digits.
  var profile: String? {
    let prefix = "Raw profile type "
    return keyword.hasPrefix(prefix) ? keyword.replacing(prefix, with: "", maxReplacements: 1) : nil
  }

  /// The number of bytes in that block. A line of 72 digits holds 36 bytes; a name and a length come first.
  var profileBytes: Int { max(plainBytes -| 20, 1) *| 36 / 73 }
}

extension FileContents {
  fileprivate mutating func addText(_ text: PNGText?, bytes: Int) {
    guard let text else { return add(.comment, bytes: bytes) }
    if text.keyword == "XML:com.adobe.xmp" { return addXMP(bytes: bytes, plain: text.plainBytes) }
    switch text.profile?.lowercased() {
    case "exif", "app1", "xmp": add(.textMetadata, bytes: bytes, plain: text.profileBytes)
    case "iptc", "8bim": add(.iptc, bytes: bytes, plain: text.profileBytes)
    default: add(.comment, bytes: bytes)
    }
    guard text.keyword == "Software" else { return }
    making.software = making.software ?? ExifText.clean(text.body)
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
      case "XMP ": contents.addXMP(bytes: length)
      case "ICCP": contents.add(.icc, bytes: length)
      case "ANMF": frames +|= length
      case "ALPH": contents.add(.alpha, bytes: length)
      // A signature and two sizes of 14 bits come before the transparency flag.
      case "VP8L": if (ByteReader(body).byte(at: 4) ?? 0) & 16 != 0 { contents.add(.alpha, bytes: 0) }
      case "VP8 ", "VP8X", "ANIM": break
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
    let header = try JPEGXLHeader(bytes)
    if header.bitDepth > 8 { contents.add(.deepSamples, bytes: 0) }
    if header.hasAlpha { contents.add(.alpha, bytes: 0) }
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
      case "xml ": contents.addXMP(bytes: box.payload.count)
      case "jhgm": contents.add(.gainMap, bytes: box.payload.count)
      case "JXL ", "ftyp", "jxlc", "jxlp", "jxll", "jxli", "jbrd": break
      default: contents.add(.other, bytes: box.payload.count)
      }
    }
    return contents
  }
}

extension PNMReader {
  package func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents {
    var contents = FileContents()
    let header = try PNMHeader(bytes)
    if header.bitDepth > 8 { contents.add(.deepSamples, bytes: 0) }
    if header.layout.hasAlpha { contents.add(.alpha, bytes: 0) }
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
  /// Adds a block of Exif metadata that takes `bytes` in the file: its size, thumbnail and texts. Programs ignore a
  /// second block.
  mutating func addExif(_ tiff: ArraySlice<UInt8>, bytes: Int) {
    guard shares[.exif] == nil else { return add(.other, bytes: bytes) }
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
    // Many model names repeat the maker.
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

  /// In bytes; more than any program writes.
  private static let longestText = 256

  static func find(_ tag: Tag, in tiff: ArraySlice<UInt8>) -> String? {
    guard let directory = ExifDirectory(tiff), let entry = directory.entry(tag.rawValue, .ascii) else {
      return nil
    }
    let reader = directory.reader
    // Values of up to four bytes are stored in the entry itself.
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
