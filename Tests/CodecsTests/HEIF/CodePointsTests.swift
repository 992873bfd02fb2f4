import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Colours that are read as code points are written as code points.
struct CodePointsTests {
  /// Spellings of `--codec` with sizes of a picture. libheif crops odd sizes, and heicbench assembles grids.
  static let ways = [
    ("heic", 64), ("heic", 33), ("heic:grid=64", 150), ("heic:lossless=true", 64), ("avif", 64), ("avif", 33),
    ("avif:lossless=true", 64),
  ]

  /// The code points of a file's primary image, and the bytes of its profile.
  private func colours(of file: [UInt8]) throws -> (points: [CodePoints], profile: Int) {
    let items = try HEIFItems(file, isWhole: true)
    let primary = items.primary
    var found: (points: [CodePoints], profile: Int) = ([], 0)
    for box in ([primary] + items.sources(of: primary).prefix(1)).flatMap({ items.propertyBoxes[$0] ?? [] })
    where box.type == "colr" {
      var reader = box.reader
      guard try reader.code() == "nclx" else {
        found.profile += box.payload.count
        continue
      }
      found.points.append(CodePoints(primaries: try reader.number(2), transfer: try reader.number(2)))
    }
    return found
  }

  @Test(arguments: ways, [(12, 13), (9, 13), (9, 8), (12, 5)])
  func theyAreWrittenInPlaceOfAProfile(way: (spelling: String, side: Int), points: (Int, Int)) throws {
    let points = CodePoints(primaries: points.0, transfer: points.1)
    let profile = try #require(
      ColorProfiles.profile(primaries: points.primaries, transfer: points.transfer, for: .rgb))
    // The same colours without code points.
    let plain = try #require(
      Chromaticities(codePoint: points.primaries).flatMap { primaries in
        TransferFunction(codePoint: points.transfer).flatMap {
          ColorProfiles.icc(primaries: primaries, transfer: $0)
        }
      })
    let image = try #require(SyntheticImage.waves(width: way.side, height: way.side - 13))
    let registry = CodecRegistry.standard
    let file = try registry.encode(image.tagged(profile), way.spelling, native: 60)
    let other = try registry.encode(image.tagged(.icc(plain)), way.spelling, native: 60)

    let found = try colours(of: file)
    #expect(Set(found.points) == [points] && found.profile == 0)
    #expect(try colours(of: other).profile >= plain.count)
    #expect(file.count < other.count - 300, "\(file.count) and \(other.count) bytes")
    // The codec and the readers return the same pixels and colours.
    let reader = HEIFReader()
    let read = try reader.read(file, limits: ReadLimits()).image
    #expect(read.profile == profile)
    #expect(try read.samples == reader.read(other, limits: ReadLimits()).image.samples)
    let codec = try #require(registry.codec(try registry.variant(way.spelling).codec))
    #expect(try codec.decode(file) == read)
    if way.spelling.contains("lossless") { #expect(read.samples == image.samples) }
  }

  @Test func aProfileOfOthersIsEmbeddedWhateverItNames() throws {
    var icc = try #require(ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb)?.iccBytes)
    #expect(ColorProfiles.codePoints(of: icc) == CodePoints(primaries: 12, transfer: 13))
    // The preferred CMM in the header, as another maker sets it.
    icc[4] ^= 1
    #expect(ColorProfiles.codePoints(of: icc) == nil)
    let image = try #require(SyntheticImage.waves(width: 64, height: 64)).tagged(.icc(icc))
    let file = try CodecRegistry.standard.encode(image, "heic", native: 60)
    #expect(try colours(of: file).profile >= icc.count)
    #expect(try HEIFReader().read(file, limits: ReadLimits()).image.profile == .icc(icc))
  }

  /// Every reader treats a camera's curve as sRGB's, so it is written as sRGB's.
  @Test func aCamerasCurveIsWrittenAsSRGBs() throws {
    let profile = try PNGReader().read(PNGFile.with([("cICP", [9, 14, 0, 1])]), limits: ReadLimits()).image
      .profile
    let image = try #require(SyntheticImage.waves(width: 64, height: 64)).tagged(profile)
    let file = try CodecRegistry.standard.encode(image, "heic", native: 60)
    let found = try colours(of: file)
    #expect(Set(found.points) == [CodePoints(primaries: 9, transfer: 13)] && found.profile == 0)
    #expect(try HEIFReader().read(file, limits: ReadLimits()).image.profile == profile)
  }

  @Test func sRGBStaysAsItIs() throws {
    let image = try #require(SyntheticImage.waves(width: 64, height: 64))
    for codec in ["heic", "avif"] {
      let found = try colours(of: try CodecRegistry.standard.encode(image, codec, native: 60))
      // For AVIF, libheif 1.15 reports it as unspecified.
      let expected = [CodePoints.sRGB, CodePoints(primaries: 2, transfer: 2)]
      #expect(found.points.allSatisfy(expected.contains) && found.profile == 0)
    }
  }

  private static let heifInfo = OutsideTool("heif-info")

  @Test(
    .enabled(if: heifInfo.path != nil, "SKIPPED: heif-info (package libheif-examples) is not installed"),
    arguments: ["heic", "avif"])
  func libheifsToolReadsThem(codec: String) throws {
    let profile = try #require(ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb))
    let image = try #require(SyntheticImage.waves(width: 64, height: 64)).tagged(profile)
    let file = try CodecRegistry.standard.encode(image, codec, native: 60)
    let folder = try TemporaryFolder()
    try Data(file).write(to: folder.url.appending(path: "a.\(codec)"))
    let tool = BuiltProgram(URL(filePath: try #require(Self.heifInfo.path)))
    let told = try tool.run(["-d", "a.\(codec)"], in: folder.url)
    #expect(told.status == 0)
    for line in ["colour_type: nclx", "colour_primaries: 12", "transfer_characteristics: 13"] {
      #expect(told.output.contains(line), "\(line)")
    }
    #expect(!told.output.contains("colour_type: prof"))
  }
}
