import TestSupport
import Testing

@testable import Pixels

@Suite("Box downscale") struct DownscaleTests {
  @Test("averages light, not samples") func light() throws {
    let checker = try #require(RasterImage(width: 2, height: 2, layout: .gray, bytes: [0, 255, 255, 0]))
    // Half the light is a sample value of 188, while half the sample value would be 128.
    #expect(try checker.downscaled(by: 2).samples == .bytes([188]))
  }

  @Test(
    "keeps layout, depth and profile, and drops incomplete boxes", arguments: ChannelLayout.allCases,
    [8, 12])
  func keepsTheFormat(_ layout: ChannelLayout, _ bitDepth: Int) throws {
    let icc = try #require(
      layout.isGray
        ? ColorProfiles.grayICC(transfer: .gamma(2.2))
        : ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    let image = try #require(
      SyntheticImage.waves(width: 32, height: 19, layout: layout, bitDepth: bitDepth)?.tagged(.icc(icc)))
    let small = try image.downscaled(by: 3)
    #expect(small.width == 10)
    #expect(small.height == 6)
    #expect(small.format == image.format)
    #expect(small.profile == image.profile)
  }

  @Test("keeps a uniform colour", arguments: [ColorProfile?.none, .some(.sRGB)])
  func uniform(_ plain: ColorProfile?) throws {
    let icc = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    let bytes: [UInt8] = (0..<36).flatMap { _ -> [UInt8] in [20, 200, 90] }
    let image = try #require(
      RasterImage(width: 6, height: 6, layout: .rgb, profile: plain ?? .icc(icc), bytes: bytes))
    #expect(try image.downscaled(by: 2).samples == .bytes(Array(bytes.prefix(27))))
  }

  @Test("gives hidden colours no weight") func alpha() throws {
    let image = try #require(
      RasterImage(width: 2, height: 1, layout: .grayAlpha, bytes: [200, 255, 10, 0]))
    #expect(throws: PixelError.self) { _ = try image.downscaled(by: 2) }
    let square = try #require(
      RasterImage(width: 2, height: 2, layout: .grayAlpha, bytes: [200, 255, 10, 0, 10, 0, 10, 0]))
    #expect(try square.downscaled(by: 2).samples == .bytes([200, 64]))
  }

  @Test("refuses factors out of range", arguments: [0, -1, 5, Int.max])
  func factors(_ n: Int) throws {
    let image = try #require(SyntheticImage.waves(width: 4, height: 4))
    #expect(throws: PixelError.self) { _ = try image.downscaled(by: n) }
  }

  @Test("by 1 changes nothing") func identity() throws {
    let image = try #require(SyntheticImage.waves(width: 5, height: 4))
    #expect(try image.downscaled(by: 1) == image)
  }
}
