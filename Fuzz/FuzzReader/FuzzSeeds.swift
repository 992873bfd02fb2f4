import CodecKit
import Foundation
import Model
import Pixels

@testable import Codecs

/// Inputs to begin with, made here, so that a run needs no files of others.
enum FuzzSeeds {
  static func write(for target: FuzzTarget, into folder: String) throws {
    let folder = URL(filePath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, seed) in try seeds(for: target).enumerated() {
      try Data(seed).write(to: folder.appending(path: "made-\(target.rawValue)-\(index)"))
    }
  }

  private static func seeds(for target: FuzzTarget) throws -> [[UInt8]] {
    switch target {
    case .jpeg: try jpeg()
    case .heif: try coded(["heic", "heic:grid=512", "avif"], hdr: ["heic:gainmap=1/2", "avif:gainmap=1/2"])
    case .png: [try PNGWriter().write(image())]
    case .jxl: try coded(["jxl"])
    case .webp: try coded(["webp", "webp:lossless"])
    case .pnm:
      [
        "P1\n2 2\n0 1 1 0", "P2\n2 1\n9\n0 9", "P3 1 1 255 1 2 3", "P4\n9 1\n\0\0", "P5\n2 1\n255\nab",
        "P6 #x\n1 1 300\nabcdef",
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd",
      ]
      .map { Array($0.utf8) }
    case .tiff: [tiffPicture]
    case .exif: [tiff(isLittleEndian: false), tiff(isLittleEndian: true), appleNotes]
    case .xmp: packets.map { Array($0.utf8) }
    case .gainmap: [GainMapMetadata.seed.isoBytes, [0] + GainMapMetadata.seed.isoBytes]
    case .icc:
      [
        ColorProfiles.icc(
          primaries: .displayP3, transfer: .sRGB, codePoints: CodePoints(primaries: 12, transfer: 13)),
        ColorProfiles.grayICC(transfer: .gamma(2.2)),
      ].compactMap { $0 }
    case .results:
      [
        "image,codec,quality,encoded_bytes,status,settings,ssimulacra2\n"
          + "a.png,jpeg,0.5,1000,measured,\"chroma=444,a=b\",81.25\r\n\"b\"\"c.png\",heic,0.25,,failed,,\n"
      ].map { Array($0.utf8) }
    }
  }

  private static func image(_ layout: ChannelLayout = .rgb, side: Int = 24) throws -> RasterImage {
    let samples = (0..<side * side * layout.channels).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }
    guard let image = RasterImage(width: side, height: side, layout: layout, bytes: samples) else {
      throw CodecError.malformed("no seed")
    }
    return image
  }

  /// An image by each of these codecs that the machine has, and HDR by others.
  private static func coded(_ spellings: [String], hdr: [String] = []) throws -> [[UInt8]] {
    let light = ColorProfile.light(
      HDRLight(points: CodePoints(primaries: 9, transfer: 16), peak: HDRLight.pqPeak))
    let (plain, bright) = (try image(), try image(side: 64).scaledDepth(to: 16).tagged(light))
    return (spellings.map { ($0, plain) } + hdr.map { ($0, bright) }).compactMap { spelling, image in
      let registry = CodecRegistry.standard
      guard let variant = try? registry.variant(spelling), let codec = try? registry.codec(variant.codec),
        let quality = Quality("0.5")
      else { return nil }
      return try? codec.encode(
        image, EncodeSettings(variant: variant, quality: quality, traits: codec.traits))
    }
  }

  /// A picture with every segment that is read, and two more behind it, by its index.
  private static func jpeg() throws -> [[UInt8]] {
    let pictures = try coded(["jpeg", "jpeg:progressive=true"], hdr: ["jpeg:gainmap=1/2"])
    guard let first = pictures.first else { return [] }
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker] + HEIFBoxes.short(body.count + 2) + body
    }
    let xmp = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(packets[0])".utf8))
    let exif = segment(0xE1, Array("Exif\0\0".utf8) + tiff(isLittleEndian: true))
    let profile = [1, 2].flatMap { segment(0xE2, Array("ICC_PROFILE\0".utf8) + [$0, 2, 7, 7]) }
    let rest = segment(0xED, Array("Photoshop 3.0\0".utf8)) + segment(0xFE, [65]) + segment(0xDD, [0, 1])
    let full = [0xFF, 0xD8] + exif + xmp + profile + rest + first.dropFirst(2)
    return pictures + [full, full + [0, 0] + first + [0, 0, 0, 24] + Array("ftypisom".utf8)]
  }

  /// An image directory with a text, an orientation and the place of a thumbnail.
  private static func tiff(isLittleEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittleEndian ? bytes : bytes.reversed()
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
    }
    let head = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
    let first =
      number(2, 2) + entry(271, 2, 4, Array("Ab\0\0".utf8)) + entry(274, 3, 1, number(6, 2) + [0, 0])
      + number(8 + 30, 4)
    let second =
      number(2, 2) + entry(0x201, 4, 1, number(8 + 60, 4)) + entry(0x202, 4, 1, number(4, 4)) + number(0, 4)
    return head + first + second + [0xFF, 0xD8, 0xFF, 0xD9]
  }

  /// Four gray pixels in a strip.
  private static let tiffPicture: [UInt8] = {
    func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
      HEIFBoxes.short(tag) + HEIFBoxes.short(type) + HEIFBoxes.long(1)
        + (type == 3 ? HEIFBoxes.short(value) + [0, 0] : HEIFBoxes.long(value))
    }
    let entries = [
      entry(256, 3, 2), entry(257, 3, 2), entry(258, 3, 8), entry(259, 3, 1), entry(262, 3, 1),
      entry(273, 4, 134), entry(274, 3, 6), entry(277, 3, 1), entry(278, 3, 2), entry(279, 4, 4),
    ]
    return Array("MM".utf8) + HEIFBoxes.short(42) + HEIFBoxes.long(8) + HEIFBoxes.short(entries.count)
      + entries.flatMap { $0 } + HEIFBoxes.long(0) + [0, 80, 160, 255]
  }()

  private static let appleNotes: [UInt8] = {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      HEIFBoxes.short(tag) + HEIFBoxes.short(type) + HEIFBoxes.long(count) + HEIFBoxes.long(value)
    }
    let notes =
      Array("Apple iOS\0\0\u{1}MM".utf8) + HEIFBoxes.short(2) + entry(33, 10, 1, 46) + entry(48, 10, 1, 54)
      + HEIFBoxes.long(0) + HEIFBoxes.long(0) + [1, 4, 0, 3, 1, 0].flatMap(HEIFBoxes.long)
    return Array("MM".utf8) + HEIFBoxes.short(42) + HEIFBoxes.long(8) + HEIFBoxes.short(1)
      + entry(0x8769, 4, 1, 26) + HEIFBoxes.long(0) + HEIFBoxes.short(1) + entry(0x927C, 7, notes.count, 44)
      + HEIFBoxes.long(0) + notes
  }()

  private static let packets = [
    """
    <x:xmpmeta><rdf:Description hdrgm:Version="1.0" hdrgm:GainMapMax="2.5" hdrgm:Gamma='1' \
    hdrgm:BaseRenditionIsHDR="False" Item:Semantic="Primary" Item:Semantic="GainMap"/>
    """,
    """
    <hdrgm:Version>1.0</hdrgm:Version><hdrgm:GainMapMin><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li>\
    <rdf:li>3</rdf:li></rdf:Seq></hdrgm:GainMapMin>
    """,
    "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>"
      + "<HDRGainMap:HDRGainMapVersion>1</><HDRGainMap:HDRGainMapHeadroom>4.5</HDRGainMap:HDRGainMapHeadroom>",
    "<GDepth:Mime>x</GDepth:Mime>",
  ]
}

extension GainMapMetadata {
  fileprivate static let seed: GainMapMetadata = {
    var channel = Channel()
    channel.maximum = 2
    guard
      let metadata = try? GainMapMetadata(
        .iso, channels: [channel], baseHeadroom: 0, alternateHeadroom: 2, usesBaseColours: true)
    else { fatalError("no seed") }
    return metadata
  }()
}
