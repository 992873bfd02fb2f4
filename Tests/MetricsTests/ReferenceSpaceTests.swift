import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

/// Metrics of encoded values compare in the reference's colour space.
struct ReferenceSpaceTests {
  private static let p3 = ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb)
  private static let encoded = ["psnr-y", "psnr-rgb", "ssim", "ms-ssim", "psnr-hvs"]
  private let suite = Result { try MetricSuite(everyMetric) }

  /// The image's colours in another space.
  private func image(_ image: RasterImage, in profile: ColorProfile) throws -> RasterImage {
    let other = try #require(
      RasterImage(width: 1, height: 1, layout: .rgb, profile: profile, bytes: [0, 0, 0]))
    return try image.inSpace(of: other)
  }

  @Test(arguments: [
    ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb),
    ColorProfiles.profile(primaries: 9, transfer: 8, for: .rgb),
    ColorProfiles.icc(primaries: .bt2020, transfer: .gamma(2.2)).map { .icc($0) },
  ]) func anotherSpaceCostsNothing(profile: ColorProfile?) throws {
    let profile = try #require(profile)
    let (reference, candidate) = try wavePair(width: 200, height: 180)
    let other = try image(candidate, in: profile)
    #expect(other.profile == profile && other.format.bitDepth == 16)
    let (plain, wide) = (try allScores(reference, candidate), try allScores(reference, other))
    for id in Self.encoded {
      let (one, two) = (try #require(plain[id]), try #require(wide[id]))
      #expect(abs(one - two) < 0.05, "\(id): \(one) and \(two)")
    }
    #expect(
      try suite.get().remark(on: other, against: reference)
        == "converted to the original’s colour space for PSNR-Y, PSNR-RGB, SSIM, MS-SSIM, PSNR-HVS")
    #expect(try MetricSuite(["ssimulacra2", "dssim"]).remark(on: other, against: reference) == nil)
  }

  /// Other bytes with the same light are not converted.
  @Test func equalLightIsComparedAsItIs() throws {
    let named = try #require(Self.p3)
    let plain = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    #expect(named != .icc(plain))
    let (reference, candidate) = try wavePair(width: 180, height: 180)
    let scores = try allScores(reference.tagged(named), candidate.tagged(named))
    #expect(try allScores(reference.tagged(named), candidate.tagged(.icc(plain))) == scores)
    #expect(
      try suite.get().remark(on: candidate.tagged(.icc(plain)), against: reference.tagged(named)) == nil)
    // Without a profile on either side, nothing changes.
    let encoded = try allScores(reference, candidate)
    for id in Self.encoded { #expect(encoded[id] == scores[id]) }
  }

  @Test func grayAndAlphaAreConvertedToo() throws {
    let gray = try #require(ColorProfiles.grayICC(transfer: .gamma(1.8)))
    let (reference, _) = try wavePair(width: 40, height: 30, layout: .grayAlpha)
    let tagged = reference.tagged(.icc(gray))
    #expect(try #require(allScores(tagged, tagged)["psnr-y"]) == 100)
    let back = try tagged.inSpace(of: reference)
    #expect(back.format == PixelFormat(layout: .grayAlpha, bitDepth: 16))
    #expect(try #require(allScores(back, tagged)["psnr-y"]) > 80)
    let wide = try #require(SyntheticImage.waves(width: 40, height: 30)).tagged(try #require(Self.p3))
    let colour = try reference.inSpace(of: wide)
    #expect(colour.format.layout == .rgba)
    #expect(try #require(allScores(reference, colour)["psnr-rgb"]) > 60)
  }

  /// An Adobe RGB picture from public reports. libjxl decodes lossy files of it to colours outside sRGB.
  @Test(
    .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"),
    .enabled(
      if: CodecRegistry.standard.codec("jxl")?.traits.absence == nil, "SKIPPED: libjxl is not installed"),
    arguments: [("a98", 87.6, 38.3), ("srgb", 87.6, 39.5)])
  func lossyJPEGXLOfAWideProfile(file: String, ssimulacra2: Double, psnr: Double) throws {
    let original = try sharedImage("field/jxl-profile/\(file).png")
    let registry = CodecRegistry.standard
    let (codec, variant) = (try #require(registry.codec("jxl")), try registry.variant("jxl"))
    let settings = EncodeSettings(variant: variant, quality: 0.9, traits: codec.traits)
    let scores = try allScores(original, codec.decode(codec.encode(original, settings)))
    #expect(abs(try #require(scores["ssimulacra2"]) - ssimulacra2) < 0.3)
    #expect(abs(try #require(scores["psnr-y"]) - psnr) < 0.15)
  }
}
