import Pixels
import Testing

@testable import Metrics

@Suite("Wide gamut") struct WideGamutTests {
  @Test("scores a Display P3 pair like its sRGB rendition") func displayP3() throws {
    let icc = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    let (reference, candidate) = try wavePair(width: 200, height: 180, amplitude: 8)
    let plain = try allScores(reference, candidate)
    let wide = try allScores(rendered(reference, icc), rendered(candidate, icc))
    #expect(abs(try #require(plain["ssimulacra2"]) - #require(wide["ssimulacra2"])) < 0.1)
  }

  /// The same colours in another profile, at 16 bits.
  private func rendered(_ image: RasterImage, _ icc: [UInt8]) throws -> RasterImage {
    let (light, transform) = (try LinearLight(image), try ColorTransform.fromLinearSRGB(icc))
    let words = (0..<image.height).flatMap { y in
      let planes = transform.convert(light.row(y).planes, to: 3)
      return (0..<image.width).flatMap { x in
        planes.map { UInt16(min(max($0[x] * 65535, 0), 65535).rounded()) }
      }
    }
    return try #require(
      RasterImage(
        width: image.width, height: image.height, format: PixelFormat(layout: .rgb, bitDepth: 16),
        profile: .icc(icc), samples: .words(words)))
  }
}
