import Testing

@testable import Pixels

@Suite struct CMYKConversionTests {
  /// Paper, black, cyan, half magenta, and yellow with half black, as amounts of ink.
  private let inks: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 128, 0, 0, 0, 0, 255, 128]
  private let light: [UInt8] = [255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 127, 255, 127, 127, 0]

  @Test func inksAreIdealFiltersWithoutAProfile() {
    let converted = CMYKConversion.rgb(inks, isInverted: false, icc: nil)
    #expect(converted.samples == light)
    #expect(converted.note == "CMYK converted to RGB without a profile")
  }

  @Test func adobeStoresTheAbsenceOfInk() {
    #expect(CMYKConversion.rgb(inks.map { 255 - $0 }, isInverted: true, icc: nil).samples == light)
  }

  @Test func aProfileForOtherSamplesIsNotUsed() throws {
    let rgb = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    #expect(CMYKConversion.rgb(inks, isInverted: false, icc: rgb).samples == light)
    #expect(CMYKConversion.rgb(inks, isInverted: false, icc: [1, 2, 3]).samples == light)
  }
}
