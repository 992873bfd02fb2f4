import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Files that code their light with PQ or HLG, for which SDR metrics are not defined.
struct HighDynamicRangeTests {
  private static let registry = CodecRegistry.standard

  /// A codec or `png`, with a profile that names code points or has only the curve; `png-chunk` has `cICP`.
  static let ways =
    ["png-chunk", "png", "png curve", "jpeg", "jpeg curve", "heic", "heic curve", "avif"]
    + ["webp", "webp curve", "jxl", "jxl curve"].filter { way in
      registry.codec(String(way.prefix { $0 != " " }))?.traits.absence == nil
    }

  private func file(_ way: String, _ transfer: Int) throws -> [UInt8] {
    if way == "png-chunk" { return try PNGFile.with([("cICP", [9, UInt8(transfer), 0, 1])]) }
    let parts = way.split(separator: " ")
    let profile =
      parts.count == 1
      ? ColorProfiles.profile(primaries: 9, transfer: transfer, for: .rgb)
      : TransferFunction(codePoint: transfer).flatMap {
        ColorProfiles.icc(primaries: .bt2020, transfer: $0).map { .icc($0) }
      }
    let image = try #require(SyntheticImage.waves(width: 64, height: 40)).tagged(try #require(profile))
    guard parts[0] != "png" else { return try PNGWriter().write(image) }
    return try Self.registry.encode(image, String(parts[0]), native: 90)
  }

  private func isRefused(_ transfer: Int, _ body: () throws -> Void) -> Bool {
    do {
      try body()
    } catch CodecError.highDynamicRange(let points) {
      return points.transfer == transfer
    } catch {
      Issue.record(error)
    }
    return false
  }

  @Test(arguments: ways, [16, 18])
  func everyReaderRefuses(way: String, transfer: Int) throws {
    let bytes = try file(way, transfer)
    let reader = try #require(Self.registry.reader(for: bytes))
    #expect(isRefused(transfer) { _ = try reader.read(bytes, limits: ReadLimits()) })
    #expect(isRefused(transfer) { _ = try reader.decode(bytes, .full, limits: ReadLimits()) })
    let part = PixelRegion(x: 0, y: 0, width: 1, height: 1)
    #expect(isRefused(transfer) { _ = try reader.decode(bytes, .region(part), limits: ReadLimits()) })
    // Decoding finds what a profile hides from the header.
    let header = isRefused(transfer) { _ = try reader.header(of: bytes) }
    // libjxl makes code points of some profiles.
    if !way.hasPrefix("jxl") {
      #expect(header == ["png-chunk", "jpeg", "heic", "avif", "webp"].contains(way))
    }
  }

  /// A curve without code points does not state its primaries. libjxl makes code points of some profiles.
  private static let hidden = ways.filter { $0.hasSuffix("curve") && !$0.hasPrefix("jxl") }

  @Test(arguments: hidden, [16, 18])
  func curvesWithoutCodePointsAreRefused(way: String, transfer: Int) throws {
    let bytes = try file(way, transfer)
    let reader = try #require(Self.registry.reader(for: bytes))
    let error = #expect(throws: CodecError.self) {
      try reader.read(bytes, limits: ReadLimits(light: HDRViewing(source: .file)))
    }
    #expect(error?.description.contains("does not name code points") == true)
  }

  @Test(arguments: ways.filter { !hidden.contains($0) }, [16, 18])
  func everyReaderReadsLightWhenAsked(way: String, transfer: Int) throws {
    let bytes = try file(way, transfer)
    let reader = try #require(Self.registry.reader(for: bytes))
    let light = HDRLight(
      points: CodePoints(primaries: 9, transfer: transfer), peak: transfer == 16 ? 10_000 : 600)
    let limits = ReadLimits(light: HDRViewing(source: .file, peak: 600))
    #expect(try reader.read(bytes, limits: limits).image.profile == .light(light))
    if !way.hasPrefix("jxl"), way != "png" { #expect(try reader.anyHeader(of: bytes).hdr == light.points) }
    #expect(
      throws: CodecError.unsupported(
        "it is HDR, but --light white accepts only SDR; --light file accepts both")
    ) {
      try reader.read(bytes, limits: ReadLimits(light: HDRViewing(source: .white)))
    }
  }

  @Test func samplesWithoutAWordAreWhatTheRunSays() throws {
    let image = try #require(SyntheticImage.waves(width: 8, height: 8, bitDepth: 16))
    let bytes = try PNGWriter().write(image)
    func light(_ viewing: HDRViewing) throws -> ColorProfile {
      try PNGReader().read(bytes, limits: ReadLimits(light: viewing)).image.profile
    }
    #expect(try light(HDRViewing(source: .pq)) == .light(.pq))
    #expect(
      try light(HDRViewing(source: .hlg, peak: 600))
        == .light(HDRLight(points: CodePoints(primaries: 9, transfer: 18), peak: 600)))
    #expect(try light(HDRViewing(source: .white, white: 100)) == .light(HDRLight(points: .sRGB, peak: 100)))
    let icc = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .gamma(1.8)))
    let camera = try PNGWriter().write(image.tagged(.icc(icc)))
    let error = #expect(throws: CodecError.self) {
      try PNGReader().read(camera, limits: ReadLimits(light: HDRViewing(source: .file)))
    }
    #expect(error?.description.contains("its ICC profile is neither") == true)
  }

  /// Light in the codecs of HDR runs: what the file states, and samples close to the original's.
  @Test(
    arguments: ["heic:depth=10", "heic:depth=12", "avif:depth=12", "heic:depth=10,lossless", "null"]
      + (registry.codec("jxl")?.traits.absence == nil ? ["jxl"] : []),
    [
      HDRLight.pq, HDRLight(points: CodePoints(primaries: 9, transfer: 18), peak: 1000),
      HDRLight(points: CodePoints(primaries: 12, transfer: 16), peak: 10_000),
      HDRLight(points: .sRGB, peak: 203),
    ])
  func codecsCarryLight(spelling: String, light: HDRLight) throws {
    let codec = try #require(Self.registry.codec(String(spelling.prefix { $0 != ":" })))
    let variant = try Self.registry.variant(spelling)
    let image = try #require(SyntheticImage.waves(width: 96, height: 80, bitDepth: 10)).tagged(.light(light))
    let top = EncodeSettings(variant: variant, quality: 1.0, traits: codec.traits)
    let file = try codec.encode(image, top)
    let decoded = try codec.decode(file)
    #expect(decoded.profile.codePoints == light.points)
    let samples = [image, decoded].map { $0.scaledDepth(to: 10).samples }
    guard case .words(let one) = samples[0], case .words(let other) = samples[1] else {
      throw CodecError.unsupported("samples of 8 bits")
    }
    let error = zip(one, other).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(one.count)
    #expect(error < (spelling.contains("lossless") || spelling == "null" ? 1e-9 : 20), "\(error)")
    if codec is any HEIFCodec {
      let matrix: UInt8 = spelling.contains("lossless") ? 0 : light.points.primaries == 9 ? 9 : 6
      let points = [UInt8(light.points.primaries), 0, UInt8(light.points.transfer), 0, matrix, 0x80]
      #expect(file.firstRange(of: Array("colrnclx".utf8) + [0] + points) != nil)
      #expect(file.firstRange(of: Array("colrprof".utf8)) == nil)
    }
  }

  @Test(arguments: [16, 18])
  func rowsAreRefused(transfer: Int) throws {
    for way in ["png-chunk", "png", "jpeg"] {
      let folder = try TemporaryFolder()
      try Data(file(way, transfer)).write(to: folder.url.appending(path: "a"))
      let mapping = try FileMapping(FileSystem.open(Array((folder.path + "/a").utf8)))
      let reader = try #require(Self.registry.reader(for: mapping.head(64)))
      #expect(isRefused(transfer) { _ = try reader.rows(of: mapping, limits: ReadLimits()) }, "\(way)")
    }
  }

  @Test func aChunkWithAMatrixIsHDRAllTheSame() throws {
    #expect(isRefused(16) { _ = try PNGReader().header(of: PNGFile.with([("cICP", [9, 16, 9, 1])])) })
  }

  @Test func theFirstChunkCounts() throws {
    let file = try PNGFile.with([("cICP", [9, 16, 0, 1]), ("cICP", [1, 13, 0, 1])])
    #expect(isRefused(16) { _ = try PNGReader().header(of: file) })
  }

  // MARK: Bitstreams

  /// For a still picture and a film, parameter sets by x265 (the second with scaling lists, the picture's shape and
  /// overscan) and sequence headers by libaom.
  private static let bitstreams = [
    (
      "hvc1",
      "01a100010042010103700000030090000003000003001ea020810596ea4929ae6e12200c080000030008000003000840", 16
    ),
    (
      "hvc1",
      "01a100010042010103700000030090000003000003001ea020810596ea492ad787db848903020000030002000003000210", 18
    ),
    ("av01", "12000a0918157ffdb212200208", 16), ("av01", "12000a0d00000002afff9fff3212240208", 18),
  ]

  private func file(_ type: String, _ stream: [UInt8], more: [[UInt8]] = []) -> [UInt8] {
    var file = HEIFSyntheticFile.single(width: 8, height: 8, more: more)
    file.items[0].type = type
    if type == "av01" {
      file.items[0].properties[1] = HEIFSyntheticFile.av1(0)
      file.items[0].data = stream
    } else {
      let head = [UInt8](repeating: 0, count: 16) + [0xFD, 0xF8, 0xF8, 0, 0, 3]
      let unit = [UInt8(stream.count - 5)]
      file.items[0].properties[1] = HEIFSyntheticFile.box(
        "hvcC", head + stream.prefix(5) + unit + stream.dropFirst(5))
    }
    return file.bytes
  }

  @Test(arguments: bitstreams)
  func bitstreamsCountWhereNoBoxTells(type: String, digits: String, transfer: Int) throws {
    let stream = try digits.indices.filter { digits.distance(from: digits.startIndex, to: $0) % 2 == 0 }.map {
      try #require(UInt8(digits[$0...].prefix(2), radix: 16))
    }
    let reader = HEIFReader()
    #expect(isRefused(transfer) { _ = try reader.header(of: file(type, stream)) })
    #expect(isRefused(transfer) { _ = try reader.header(of: file(type, stream, more: [colour(2, 2)])) })
    #expect(try reader.header(of: file(type, stream, more: [colour(1, 13)])).width == 8)
    // Headers that end early state nothing, and do not end a process.
    for count in 5..<(type == "av01" ? 10 : 34) {
      #expect(try reader.header(of: file(type, Array(stream.prefix(count)))).width == 8)
    }
  }

  @Test func theAdviceNamesTransferAndCommand() {
    let text = CodecError.highDynamicRange(CodePoints(primaries: 12, transfer: 16)).description
    #expect(text.hasPrefix("HDR (PQ) is not measured"))
    #expect(text.contains("color_primaries=smpte432:color_trc=smpte2084,"))
    let other = CodecError.highDynamicRange(CodePoints(primaries: 9, transfer: 18)).description
    #expect(other.hasPrefix("HDR (HLG)") && other.contains("color_primaries=bt2020:color_trc=arib-std-b67,"))
  }

  private static let cjxl = OutsideTool("cjxl")

  /// libjxl's HDR files have code points, which the header shows without libjxl.
  @Test(
    .enabled(
      if: cjxl.path != nil && OpenedLibrary.jpegXL.absence == nil, "SKIPPED: cjxl (package libjxl-tools)"),
    arguments: [("RGB_D65_202_Rel_PeQ", 16), ("RGB_D65_DCI_Rel_HLG", 18), ("Gra_D65_Rel_PeQ", 16)],
    [["-d", "1"], ["-d", "0"]])
  func filesOfCJXLAreRefused(colours: (spelling: String, transfer: Int), arguments: [String]) throws {
    let isGray = colours.spelling.hasPrefix("Gra")
    let image = try #require(SyntheticImage.waves(width: 40, height: 30, layout: isGray ? .gray : .rgb))
    guard case .bytes(let samples) = image.samples else {
      Issue.record("not of 8 bits")
      return
    }
    let bytes = try Self.cjxl.output(
      of: Array("P\(isGray ? 5 : 6)\n40 30\n255\n".utf8) + samples, named: isGray ? "a.pgm" : "a.ppm",
      as: "a.jxl", ["--quiet", "-x", "color_space=\(colours.spelling)"] + arguments + ["{in}", "{out}"])
    #expect(isRefused(colours.transfer) { _ = try JPEGXLReader().header(of: bytes) })
    #expect(isRefused(colours.transfer) { _ = try JPEGXLReader().read(bytes, limits: ReadLimits()) })
  }

  // MARK: What is not HDR

  private func colour(_ primaries: Int, _ transfer: Int) -> [UInt8] {
    HEIFSyntheticFile.box(
      "colr", Array("nclx".utf8) + [0, UInt8(primaries), 0, UInt8(transfer), 0, 6, 0x80])
  }

  @Test(arguments: [
    (1, 13, "sRGB"), (1, 1, "sRGB"), (1, 6, "sRGB"), (1, 7, "RGB BT.709, SMPTE 240M"), (1, 11, "sRGB"),
    (1, 12, "sRGB"),
    (2, 2, "sRGB"), (12, 13, "RGB Display P3, sRGB"), (9, 14, "RGB BT.2020, sRGB"),
    (9, 15, "RGB BT.2020, sRGB"), (9, 8, "RGB BT.2020, linear"), (1, 4, "sRGB"),
    (1, 5, "RGB BT.709, gamma 2.8"),
  ])
  func transfersOfSDRAreRead(primaries: Int, transfer: Int, title: String) throws {
    let file = HEIFSyntheticFile.single(width: 8, height: 8, more: [colour(primaries, transfer)])
    #expect(try HEIFReader().header(of: file.bytes).width == 8)
    let decoded = HEIFDecoder.Result(
      raster: try #require(SyntheticImage.waves(width: 8, height: 8)),
      codePoints: CodePoints(primaries: primaries, transfer: transfer))
    #expect(try HEIFColour.profile(of: decoded, ReadLimits()).profile.title == title)
  }

  @Test(arguments: [0, 3, 9, 10, 19, 255])
  func unknownTransfersAreNotTakenForSRGB(transfer: Int) throws {
    let file = HEIFSyntheticFile.single(width: 8, height: 8, more: [colour(1, transfer)])
    let error = #expect(throws: CodecError.self) { try HEIFReader().header(of: file.bytes) }
    #expect(error?.description.contains("(\(transfer) in ITU-T H.273)") == true)
    #expect(throws: CodecError.self) {
      try PNGReader().read(PNGFile.with([("cICP", [1, UInt8(transfer), 0, 1])]), limits: ReadLimits())
    }
  }

  // MARK: Gain maps

  @Test(arguments: ["urn:com:apple:photo:2020:aux:hdrgainmap", "tmap"])
  func gainMapsOfHEIFAreLeftOut(kind: String) {
    var file = HEIFSyntheticFile.single(width: 64, height: 48)
    // Items without data begin where the next one does, and shared data count once.
    file.items[0].data = [9]
    #expect(HEIFReader().stepsLeftOut(of: file.bytes).isEmpty)
    var map = HEIFSyntheticFile.Item(
      id: 2, type: "hvc1", properties: [HEIFSyntheticFile.size(32, 24), HEIFSyntheticFile.hevc()],
      data: [1, 2, 3])
    if kind == "tmap" {
      file.items.append(
        HEIFSyntheticFile.Item(
          id: 3, type: "tmap", properties: [HEIFSyntheticFile.size(64, 48)], sources: [1, 2]))
    } else {
      map.properties.append(HEIFSyntheticFile.auxiliary(kind))
      map.alphaOf = 1
    }
    file.items.append(map)
    #expect(HEIFReader().stepsLeftOut(of: file.bytes) == [ImageRecord.gainMapStep])
  }
}
