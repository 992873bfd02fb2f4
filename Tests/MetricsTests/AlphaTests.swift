import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

@Suite("Alpha") struct AlphaTests {
  private static let side = 64

  /// An image of one gray level and one coverage.
  private func uniform(_ level: UInt8, alpha: UInt8?) throws -> RasterImage {
    let pixel: [UInt8] = [level, level, level] + (alpha.map { [$0] } ?? [])
    let bytes = (0..<Self.side * Self.side).flatMap { _ in pixel }
    return try #require(
      RasterImage(
        width: Self.side, height: Self.side, layout: alpha == nil ? .rgb : .rgba, bytes: bytes))
  }

  @Test("a hidden colour does not count") func transparent() throws {
    let scores = try allScores(uniform(10, alpha: 0), uniform(200, alpha: 0))
    #expect(scores["psnr-y"] == 100)
    #expect(scores["ssimulacra2"] == 100)
  }

  @Test("full coverage changes nothing") func opaque() throws {
    #expect(
      try allScores(uniform(90, alpha: 255), uniform(100, alpha: 255))
        == allScores(uniform(90, alpha: nil), uniform(100, alpha: nil)))
  }

  @Test("the worse score on white and black counts", arguments: [UInt8(0), 255])
  func worse(_ level: UInt8) throws {
    // Black on black and white on white show no change of coverage. The other background does.
    let scores = try allScores(uniform(level, alpha: 255), uniform(level, alpha: 235))
    let over = try allScores(uniform(level, alpha: nil), uniform(level == 0 ? 20 : 235, alpha: nil))
    #expect(abs(try #require(scores["psnr-y"]) - #require(over["psnr-y"])) < 1e-4)
    #expect(abs(try #require(scores["ssimulacra2"]) - #require(over["ssimulacra2"])) < 1e-3)
  }

  @Test("may be missing from one image") func oneSided() throws {
    let plain = try uniform(120, alpha: nil)
    #expect(try allScores(plain, uniform(120, alpha: 255))["ssimulacra2"] == 100)
    #expect(try allScores(uniform(120, alpha: 255), plain)["ssimulacra2"] == 100)
    #expect(try #require(try allScores(plain, uniform(120, alpha: 128))["psnr-y"]) < 20)
  }

  @Test("is composited alike for gray and 16 bits", arguments: [8, 10, 16])
  func scoresLayoutsWithAlpha(_ bitDepth: Int) throws {
    let gray = try #require(
      SyntheticImage.waves(width: 40, height: 30, layout: .grayAlpha, bitDepth: bitDepth))
    let scores = try allScores(gray, noisy(gray, amplitude: 5))
    #expect(try #require(scores["psnr-y"]) > 30)
    #expect(abs(try #require(scores["psnr-y"]) - #require(scores["psnr-rgb"])) < 1e-5)
  }
}
