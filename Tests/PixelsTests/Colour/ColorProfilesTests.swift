import Model
import TestSupport
import Testing

@testable import Pixels

@Suite struct ColorProfilesTests {
  @Test(arguments: [
    (1, 13, "sRGB"), (2, 2, "sRGB"), (12, 13, "RGB Display P3, sRGB"), (9, 16, "RGB BT.2020, PQ"),
    (9, 18, "RGB BT.2020, HLG"), (1, 1, "sRGB"), (1, 4, "sRGB"), (1, 5, "RGB BT.709, gamma 2.8"),
    (9, 8, "RGB BT.2020, linear"), (1, 7, "RGB BT.709, SMPTE 240M"), (1, 17, "RGB BT.709, gamma 2.6"),
  ])
  func codePointsGiveAProfileThatIsUsable(primaries: Int, transfer: Int, title: String) throws {
    let profile = try #require(ColorProfiles.profile(primaries: primaries, transfer: transfer, for: .rgb))
    #expect(profile.title == title)
    guard title != "sRGB" else {
      #expect(profile == .sRGB)
      return
    }
    let bytes = try #require(profile.iccBytes)
    #expect(ColorProfiles.profile(icc: bytes, for: .rgb).profile == profile)
    #expect(ColorProfiles.profile(icc: bytes, for: .gray).note != nil)
    #expect(ColorProfiles.codePoints(of: bytes) == CodePoints(primaries: primaries, transfer: transfer))
    #expect(
      ColorProfiles.hdrTransfer(of: bytes)
        == TransferFunction(codePoint: transfer).flatMap { $0.isHDR ? $0 : nil })
    #expect(bytes[24..<36].allSatisfy { $0 == 0 }, "the creation date is not fixed")
  }

  @Test(arguments: [(0, 13), (3, 13), (1, 3), (255, 255), (-1, 13), (10, 1)])
  func reservedCodePointsGiveNothing(primaries: Int, transfer: Int) {
    #expect(ColorProfiles.profile(primaries: primaries, transfer: transfer, for: .rgb) == nil)
  }

  /// Code points with the same meaning give the same profile, which names the usual code points.
  @Test(arguments: [(9, 1), (9, 4), (9, 6), (9, 11), (9, 14), (9, 15), (9, 2)])
  func equalMeaningsAreEqualProfiles(primaries: Int, transfer: Int) throws {
    let profile = ColorProfiles.profile(primaries: primaries, transfer: transfer, for: .rgb)
    #expect(profile == ColorProfiles.profile(primaries: 9, transfer: 13, for: .rgb))
    #expect(profile?.codePoints == CodePoints(primaries: 9, transfer: 13))
    let rounded = Chromaticities(
      red: Chromaticity(0.7081, 0.2919), green: Chromaticity(0.1699, 0.7971),
      blue: Chromaticity(0.1311, 0.0459), white: Chromaticity(0.3127, 0.329))
    #expect(profile == ColorProfiles.profile(primaries: rounded, transfer: .sRGB, for: .rgb))
  }

  @Test func grayTakesTheCurveAlone() throws {
    let profile = try #require(ColorProfiles.profile(primaries: 9, transfer: 8, for: .gray))
    let bytes = try #require(profile.iccBytes)
    #expect(ColorProfiles.profile(icc: bytes, for: .gray).profile == profile)
    #expect(ColorProfiles.profile(icc: bytes, for: .grayAlpha).profile == profile)
    #expect(ColorProfiles.profile(icc: bytes, for: .rgba).profile == .sRGB)
    #expect(ColorProfiles.profile(primaries: 9, transfer: 13, for: .gray) == .sRGB)
  }

  @Test(arguments: [TransferFunction.linear, .gamma(1.8), .smpte240])
  func grayBecomesRGBWithTheSameCurve(transfer: TransferFunction) throws {
    let gray = try #require(ColorProfiles.grayICC(transfer: transfer))
    let rgb = try #require(ColorProfiles.rgbICC(ofGray: gray))
    #expect(ColorProfiles.profile(icc: rgb, for: .rgb).profile == .icc(rgb))
    let isSameLight = try ColorProfile.icc(gray).hasLight(of: .icc(rgb))
    #expect(isSameLight)
    #expect(ColorProfiles.rgbICC(ofGray: rgb) == nil && ColorProfiles.rgbICC(ofGray: [1, 2, 3]) == nil)
  }

  @Test func aProfileThatSaysSRGBIsSRGB() throws {
    let bytes = try #require(ColorProfiles.icc(primaries: .bt709, transfer: .sRGB))
    let found = ColorProfiles.profile(icc: bytes, for: .rgb)
    #expect(found.profile == .sRGB)
    #expect(found.note == "ICC profile is sRGB")
  }

  @Test func aPlainPowerIsNotSRGB() throws {
    let bytes = try #require(ColorProfiles.icc(primaries: .bt709, transfer: .gamma(2.2)))
    #expect(ColorProfiles.profile(icc: bytes, for: .rgb).profile == .icc(bytes))
  }

  @Test func truncatedProfilesNameNothingOrWhatTheyNamed() throws {
    let points = CodePoints(primaries: 12, transfer: 13)
    let bytes = try #require(
      ColorProfiles.profile(primaries: points.primaries, transfer: points.transfer, for: .rgb)?.iccBytes)
    #expect(ColorProfiles.namedCodePoints(in: bytes) == points)
    for length in 0..<bytes.count {
      let found = ColorProfiles.namedCodePoints(in: Array(bytes.prefix(length)))
      #expect(found == nil || found == points)
    }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 { _ = ColorProfiles.namedCodePoints(in: bytes.damaged(at: 4, using: &generator)) }
  }

  @Test func primariesOnALineGiveNothing() {
    let point = Chromaticity(0.3, 0.3)
    let flat = Chromaticities(red: point, green: point, blue: point, white: Chromaticities.d65)
    #expect(ColorProfiles.icc(primaries: flat, transfer: .sRGB) == nil)
  }

  @Test func damagedProfilesAreDropped() throws {
    let bytes = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    for length in [0, 1, 127, 128, 131, 140, 300] {
      #expect(ColorProfiles.profile(icc: Array(bytes.prefix(length)), for: .rgb).profile == .sRGB)
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let damaged = bytes.damaged(at: 4, using: &generator)
      let found = ColorProfiles.profile(icc: damaged, for: .rgb)
      #expect(found.profile == .icc(damaged) || found.note != nil)
      _ = ColorProfile.icc(damaged).title
    }
  }

  @Test(arguments: [
    (TransferFunction.sRGB, 0.5, 0.214041), (.bt709, 0.5, 0.259589), (.smpte240, 0.5, 0.265036),
    (.smpte240, 0.08, 0.02), (.gamma(2.2), 0.5, 0.217638),
    (.pq, 0.508078, 0.01), (.pq, 1, 1), (.hlg, 0.5, 1.0 / 12), (.hlg, 1, 1),
  ])
  func transferFunctionsMatchTheirStandards(function: TransferFunction, value: Double, light: Double) {
    #expect(abs(function.linearLight(value) - light) < 2e-5)
  }
}
