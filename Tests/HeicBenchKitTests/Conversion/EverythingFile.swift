import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit

/// A small picture with all the metadata that its format can hold.
struct EverythingFile {
  let format: String
  let bytes: [UInt8]

  var ending: String { ["jpeg": "jpg", "tiff": "tif", "pnm": "pam"][format] ?? format }

  static let xmp = Array(
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><a>\(String(repeating: "x", count: 300))</a></x:xmpmeta>".utf8)

  private static func image(_ layout: ChannelLayout, bits: Int = 8) throws -> RasterImage {
    try #require(SyntheticImage.waves(width: 64, height: 48, layout: layout, bitDepth: bits, seed: 3))
  }

  private static func encoded(_ image: RasterImage, _ spelling: String) throws -> [UInt8] {
    let registry = CodecRegistry.standard
    let variant = try registry.variant(spelling)
    let codec = try #require(registry.codec(variant.codec))
    return try codec.encode(image, EncodeSettings(variant: variant, quality: 0.85, traits: codec.traits))
  }

  /// A profile that is not sRGB.
  static func profile() throws -> [UInt8] {
    try #require(ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb)?.iccBytes)
  }

  private static func thumbnail() throws -> [UInt8] { try encoded(image(.rgb), "jpeg") }

  /// Metadata of all kinds, a packet of XMP with an extension, a second block of Exif, and a gain map after the
  /// picture.
  static func jpeg() throws -> EverythingFile {
    let picture = try encoded(image(.rgb), "jpeg")
    var map = SegmentedJPEG(picture: picture)
    map.segments = [SegmentedJPEG.xmp("hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\"")]
    var file = SegmentedJPEG(picture: picture, tail: map.bytes)
    let extended = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    file.segments = [
      SegmentedJPEG.exif(thumbnail: try thumbnail(), model: "First"),
      SegmentedJPEG.exif(thumbnail: [], model: "Second"),
      SegmentedJPEG.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp),
      SegmentedJPEG.segment(0xE1, extended + [UInt8](repeating: 65, count: 20_000)),
      SegmentedJPEG.profile(try profile(), 1, of: 1),
      SegmentedJPEG.segment(0xED, Array("Photoshop 3.0\08BIM".utf8)), SegmentedJPEG.comment("hello"),
    ]
    return EverythingFile(format: "jpeg", bytes: file.bytes)
  }

  /// - Parameter isText: Whether the file has 16 bits, and Exif and XMP as text like ImageMagick's instead of the
  /// format's own.
  static func png(isText: Bool) throws -> EverythingFile {
    var file = try CodecRegistry.standard.writer.write(image(.rgba, bits: isText ? 16 : 8))
    try #require(file[37..<41].elementsEqual("sRGB".utf8))
    let tiff = SegmentedJPEG.tiff(thumbnail: try thumbnail(), model: "Model")
    let own = [
      ("iCCP", Array("p\0\0".utf8) + PNGFile.stored(try profile())), ("eXIf", tiff),
      ("iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + PNGFile.stored(xmp)),
      ("tEXt", Array("Comment\0hello".utf8)),
    ]
    let text = [
      (
        "zTXt",
        Array("Raw profile type exif\0\0".utf8)
          + PNGFile.stored(spelled("exif", Array("Exif\0\0".utf8) + tiff))
      ),
      ("tEXt", Array("Raw profile type xmp\0".utf8) + spelled("xmp", xmp)),
      ("tEXt", Array("Raw profile type iptc\0".utf8) + spelled("iptc", Array("8BIM\u{4}\u{4}".utf8))),
    ]
    let chunks = (isText ? text : own).flatMap { PNGFile.chunk($0.0, $0.1) }
    file.replaceSubrange(33..<46, with: chunks)
    return EverythingFile(format: "png", bytes: file)
  }

  /// A block as lines of 72 digits after its name and length.
  private static func spelled(_ name: String, _ block: [UInt8]) -> [UInt8] {
    let lines = stride(from: 0, to: block.count, by: 36).map { start in
      Array(block.dropFirst(start).prefix(36)).hexadecimal
    }
    return Array(
      "\n\(name)\n\(String(repeating: " ", count: 8 - "\(block.count)".count))\(block.count)\n".utf8)
      + Array(lines.joined(separator: "\n").utf8) + [10]
  }

  static func webp() throws -> EverythingFile {
    let picture = try encoded(image(.rgba), "webp")
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      let size = withUnsafeBytes(of: UInt32(body.count).littleEndian, Array.init)
      return Array(name.utf8) + size + body + (body.count % 2 == 1 ? [0] : [])
    }
    try #require(picture[12..<16].elementsEqual("VP8X".utf8))
    var head = Array(picture[20..<30])
    // Profile, transparency, Exif and XMP.
    head[0] = 0x3C
    let rest = Array(picture[30...])
    let tiff = SegmentedJPEG.tiff(thumbnail: try thumbnail(), model: "Model")
    let body =
      Array("WEBP".utf8) + chunk("VP8X", head) + chunk("ICCP", try profile()) + rest + chunk("EXIF", tiff)
      + chunk("XMP ", xmp)
    return EverythingFile(format: "webp", bytes: chunk("RIFF", body))
  }

  static func jxl() throws -> EverythingFile {
    var picture = try encoded(image(.rgba), "jxl")
    func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
      PNGFile.bytes(UInt32(body.count + 8)) + Array(name.utf8) + body
    }
    if picture.starts(with: [0xFF, 0x0A]) {
      picture =
        box("JXL ", [13, 10, 0x87, 10]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8)) + box("jxlc", picture)
    }
    picture +=
      box("xml ", xmp) + box("Exif", [0, 0, 0, 0] + SegmentedJPEG.tiff(thumbnail: [], model: "Model"))
    return EverythingFile(format: "jxl", bytes: picture)
  }

  static func pnm() throws -> EverythingFile {
    let head = "P7\nWIDTH 64\nHEIGHT 48\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    let samples = (0..<64 * 48 * 4).flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 / 9)]
    }
    return EverythingFile(format: "pnm", bytes: Array(head.utf8) + samples)
  }

  static func ppm() throws -> EverythingFile {
    EverythingFile(
      format: "pnm",
      bytes: Array("P6\n# hello\n64 48\n255\n".utf8) + (0..<64 * 48 * 3).map { UInt8(truncatingIfNeeded: $0) }
    )
  }

  /// A HEIF file as heif-enc makes it from a JPEG, with everything that it keeps.
  static func heif(_ format: String) throws -> EverythingFile {
    let source = try jpeg()
    let made = try OutsideTool("heif-enc").output(
      of: source.bytes, named: "in.jpg", as: "out.\(format)",
      (format == "avif" ? ["-A"] : []) + ["-q", "50", "-t", "32", "{in}", "-o", "{out}"])
    return EverythingFile(format: format, bytes: made)
  }

  /// Little-endian, in one strip, with an image description, XMP, IPTC, a profile and a directory of Exif.
  static func tiff() throws -> EverythingFile {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let profile = try profile()
    let blocks: [(tag: Int, kind: Int, count: Int, bytes: [UInt8])] = [
      (258, 3, 4, Array(repeating: number(8, 2), count: 4).flatMap { $0 }),
      (270, 2, 6, Array("hello\0".utf8)),
      (273, 4, 0, (0..<64 * 48 * 4).map { UInt8(truncatingIfNeeded: $0) }),
      (700, 1, xmp.count, xmp), (33_723, 7, 8, Array("12345678".utf8)),
      (
        34_665, 4, 0,
        number(1, 2) + number(0x8827, 2) + number(3, 2) + number(1, 4) + number(400, 4) + number(0, 4)
      ),
      (34_675, 7, profile.count, profile),
    ]
    let values = [256: 64, 257: 48, 259: 1, 262: 2, 277: 4, 278: 48, 279: 64 * 48 * 4, 284: 1, 338: 2]
    var entries = values.map { tag, value in
      (tag, number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4))
    }
    var position = 8 + 2 + (values.count + blocks.count) * 12 + 4
    for block in blocks {
      // Only the offsets of the strip and the directory are stored.
      entries.append(
        (
          block.tag,
          number(block.tag, 2) + number(block.kind, 2) + number(max(block.count, 1), 4) + number(position, 4)
        ))
      position += block.bytes.count + block.bytes.count % 2
    }
    entries.sort { $0.0 < $1.0 }
    let data: [UInt8] = blocks.flatMap { $0.bytes + [UInt8](repeating: 0, count: $0.bytes.count % 2) }
    let directory: [UInt8] = number(entries.count, 2) + entries.flatMap(\.1) + number(0, 4)
    return EverythingFile(format: "tiff", bytes: Array("II*\0".utf8) + number(8, 4) + directory + data)
  }
}
