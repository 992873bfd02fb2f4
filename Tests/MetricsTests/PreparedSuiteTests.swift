import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

@Suite("Prepared suite") struct PreparedSuiteTests {
  @Test(
    "gives identical images full marks in every layout and depth", arguments: ChannelLayout.allCases,
    [8, 10, 16])
  func givesIdenticalImagesTheBestScores(_ layout: ChannelLayout, _ bitDepth: Int) throws {
    let image = try #require(
      SyntheticImage.waves(width: 181, height: 177, layout: layout, bitDepth: bitDepth))
    let scores = try allScores(image, image)
    #expect(scores["psnr-y"] == 100)
    #expect(scores["psnr-rgb"] == 100)
    #expect(abs(try #require(scores["ssim"]) - 1) < 1e-7)
    #expect(abs(try #require(scores["ms-ssim"]) - 1) < 1e-7)
    #expect(scores["ssimulacra2"] == 100)
    #expect(scores["dssim"] == 0)
    #expect(scores["psnr-hvs"] == 100)
    #expect(scores["butteraugli"] == 0 && scores["butteraugli-3norm"] == 0)
  }

  @Test("never scores more distortion higher") func noiseLadder() throws {
    let reference = try #require(SyntheticImage.waves(width: 192, height: 180))
    let suite = try MetricSuite(everyMetric).prepare(reference)
    var previous = try suite.score(reference)
    for amplitude in [1, 2, 4, 8, 16, 32, 64] {
      let scores = try suite.score(noisy(reference, amplitude: amplitude))
      for metric in MetricTraits.standard {
        let change = try #require(scores[metric.id]) - #require(previous[metric.id])
        #expect(metric.higherIsBetter ? change < 0 : change > 0, "\(metric.id) at \(amplitude)")
      }
      previous = scores
    }
  }

  @Test("forgets the previous candidate") func reuse() throws {
    let (reference, candidate) = try wavePair(width: 200, height: 190)
    let suite = try MetricSuite(everyMetric).prepare(reference)
    let first = try suite.score(candidate)
    _ = try suite.score(noisy(reference, amplitude: 60))
    _ = try suite.errors(candidate) { $0[0][0] }
    #expect(try suite.score(candidate) == first)
  }

  @Test(
    "leaves out what is not defined for small images",
    arguments: [
      (1, 1, ["psnr-rgb", "psnr-y"]), (7, 300, ["psnr-rgb", "psnr-y"]),
      (8, 8, ["butteraugli", "butteraugli-3norm", "dssim", "psnr-hvs", "psnr-rgb", "psnr-y", "ssimulacra2"]),
      (11, 20, everyMetric.filter { $0 != "ms-ssim" }.sorted()),
      (175, 400, everyMetric.filter { $0 != "ms-ssim" }.sorted()), (176, 176, everyMetric.sorted()),
    ])
  func leavesOutMetricsThatSmallImagesLack(_ width: Int, _ height: Int, _ defined: [String]) throws {
    let (reference, candidate) = try wavePair(width: width, height: height)
    let scores = try allScores(reference, candidate)
    #expect(scores.keys.sorted() == defined)
    #expect(scores.values.allSatisfy { $0.isFinite })
  }

  @Test("refuses images of different size") func sizeMismatch() throws {
    let suite = try MetricSuite(["psnr-y"]).prepare(#require(SyntheticImage.waves(width: 20, height: 10)))
    let other = try #require(SyntheticImage.waves(width: 10, height: 20))
    #expect(throws: MetricError("the images differ in size: 20 × 10 and 10 × 20")) {
      _ = try suite.score(other)
    }
  }

  @Test("scores 16 bits like the 8 that they come from") func sixteenBits() throws {
    let (reference, candidate) = try wavePair(width: 180, height: 180)
    let narrow = try allScores(reference, candidate)
    let wide = try allScores(widened(reference, to: 16), widened(candidate, to: 16))
    let mixed = try allScores(reference, widened(candidate, to: 16))
    for id in everyMetric {
      let score = try #require(narrow[id])
      #expect(abs(try #require(wide[id]) - score) < 1e-3, "\(id)")
      #expect(abs(try #require(mixed[id]) - score) < 1e-3, "\(id)")
    }
  }

  @Test("scores 10 bits close to the 8 that they come from") func tenBits() throws {
    let (reference, candidate) = try wavePair(width: 180, height: 180)
    let narrow = try allScores(reference, candidate)
    let wide = try allScores(widened(reference, to: 10), widened(candidate, to: 10))
    for id in everyMetric {
      #expect(abs(try #require(wide[id]) / #require(narrow[id]) - 1) < 0.005, "\(id)")
    }
  }

  @Test("scores gray as RGB with three equal channels") func gray() throws {
    let (reference, candidate) = try wavePair(width: 180, height: 180, layout: .gray)
    let expected = try allScores(reference, candidate)
    let tripled = try allScores(tripled(reference), tripled(candidate))
    let mixed = try allScores(reference, self.tripled(candidate))
    #expect(tripled == expected)
    #expect(mixed == expected)
  }

  private func tripled(_ image: RasterImage) throws -> RasterImage {
    guard case .bytes(let bytes) = image.samples else { return image }
    return try #require(
      RasterImage(
        width: image.width, height: image.height, layout: .rgb, bytes: bytes.flatMap { [$0, $0, $0] }))
  }
}
