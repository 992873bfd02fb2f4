import Model
import TestSupport
import Testing

@testable import Pixels

@Suite("Linear light") struct LinearLightTests {
  private func pixel(
    _ samples: [UInt8], layout: ChannelLayout = .rgb, profile: ColorProfile = .sRGB
  ) throws -> [Float] {
    let image = try #require(
      RasterImage(width: 1, height: 1, layout: layout, profile: profile, bytes: samples))
    return try LinearLight(image).row(0).planes.map { $0[0] }
  }

  @Test("follows the curve of sRGB") func curve() throws {
    let light = try pixel([0, 128, 255])
    #expect(light[0] == 0)
    #expect(abs(light[1] - 0.215_860_5) < 1e-6)
    #expect(abs(light[2] - 1) < 1e-6)
  }

  @Test("is the same through sRGB's own profile") func profiled() throws {
    let icc = try #require(ColorProfiles.icc(primaries: .bt709, transfer: .sRGB))
    let plain = try pixel([10, 128, 250])
    for (a, b) in zip(plain, try pixel([10, 128, 250], profile: .icc(icc))) { #expect(abs(a - b) < 2e-4) }
  }

  @Test("leaves colours outside the gamut outside") func wideGamut() throws {
    let icc = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    let green = try pixel([0, 255, 0], profile: .icc(icc))
    #expect(green[0] < -0.1)
    #expect(green[1] > 1)
  }

  @Test("converts gray through a gray profile, as gray or as RGB") func gray() throws {
    let icc = try #require(ColorProfiles.grayICC(transfer: .gamma(2.2)))
    let light = try pixel([100], layout: .gray, profile: .icc(icc))
    let expected: Float = 0.127_5  // (100/255)^2.2
    for value in light { #expect(abs(value - expected) < 1e-3) }
    for value in try pixel([100, 100, 100], profile: .icc(icc)) { #expect(abs(value - expected) < 1e-3) }
  }

  @Test("keeps alpha separate") func alpha() throws {
    let image = try #require(RasterImage(width: 1, height: 1, layout: .rgba, bytes: [255, 0, 255, 51]))
    let light = try LinearLight(image).row(0)
    #expect(light.alpha == [0.2])
    #expect(light.planes[1] == [0])
  }

  @Test("refuses damaged profiles", arguments: [[], [1, 2, 3], [UInt8](repeating: 7, count: 200)])
  func damaged(_ icc: [UInt8]) throws {
    #expect(throws: PixelError.self) { _ = try pixel([1, 2, 3], profile: .icc(icc)) }
  }

  @Test
  func eightBitsAreEncodedBySteps() throws {
    let image = try #require(RasterImage(width: 1, height: 1, layout: .gray, bytes: [0]))
    var generator = SeededGenerator(seed: 12)
    let light: [Float] = [.nan, -1, 0, 1, 2] + (0..<100_000).map { _ in Float(generator.unit()) }
    let row = LinearLight.Row(planes: [light], alpha: light.map { _ in 1 })
    let encoded = light.map { min(max(SRGBCurve.encoded(Double($0)) * 255, 0), 255).rounded() }
    #expect(
      try LightEncoder(like: image).encode(row) == encoded.map { $0.isNaN ? 0 : UInt16($0) })
  }
}
