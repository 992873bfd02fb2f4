import Foundation
import Model
import Testing

@testable import Analysis

struct RatioEstimateTests {
  /// Cochran's formula by hand: six of ten files, with known sizes of 30 out of 60.
  @Test func followsTheFormula() throws {
    let (x, y) = ([2.0, 4, 5, 6, 6, 7], [1.0, 3, 2, 3, 4, 2])
    let files = zip(x, y).map { RatioEstimate.File(known: $0, measured: $1) }
    let estimate = try #require(RatioEstimate(files, count: 10, known: 60))
    // R = 15/30; residuals 0, 1, -0.5, 0, 1, -1.5 with squares 4.5; (X̄/x̄)² = (6/5)²; t(5) = 2.5706.
    #expect(abs(estimate.total - 30) < 1e-12)
    let variance = 1.44 * 100 * 0.4 / 6 * 4.5 / 5
    let interval = try #require(estimate.interval)
    #expect(abs(interval.upper - (30 + 2.570582 * variance.squareRoot())) < 1e-4)
    #expect(abs(interval.lower + interval.upper - 60) < 1e-9)
  }

  @Test func theWholeFolderIsExact() throws {
    let files = [3.0, 5].map { RatioEstimate.File(known: $0, measured: 1) }
    let estimate = try #require(RatioEstimate(files, count: 2, known: 8))
    #expect(estimate.total == 2)
    #expect(estimate.interval?.lower == 2 && estimate.interval?.upper == 2)
  }

  @Test func fewFilesHaveNoInterval() throws {
    let files = [3.0, 5, 6, 7].map { RatioEstimate.File(known: $0, measured: $0 / 2) }
    #expect(try #require(RatioEstimate(files, count: 9, known: 80)).interval == nil)
    #expect(RatioEstimate([], count: 9, known: 80) == nil)
    #expect(RatioEstimate([.init(known: 0, measured: 1)], count: 9, known: 80) == nil)
  }

  /// How often the interval contains the true total, over samples of a folder whose sizes are spread like photographs',
  /// and whose cost depends on the size.
  @Test(arguments: [(12, 0.91), (24, 0.92), (48, 0.92)])
  func intervalsHoldTheTotalAboutAsOftenAsTheySay(size: Int, least: Double) throws {
    let folder = Self.folder(400)
    let (known, truth) = (folder.reduce(0) { $0 + $1.known }, folder.reduce(0) { $0 + $1.measured })
    var (held, bias) = (0, 0.0)
    let draws = 4000
    for draw in 0..<draws {
      let sample = FileSample.drawn(size, of: folder.count, seed: UInt64(draw)).map { folder[$0] }
      let estimate = try #require(RatioEstimate(sample, count: folder.count, known: known))
      let interval = try #require(estimate.interval)
      if (interval.lower...interval.upper).contains(truth) { held += 1 }
      bias += estimate.total / truth - 1
    }
    let coverage = Double(held) / Double(draws)
    #expect(coverage > least && coverage < 0.97, "\(coverage)")
    // A ratio of sums is biased by about 1/n of its spread, because here the saving depends on the size.
    #expect(abs(bias / Double(draws)) < 0.2 / Double(size), "\(bias / Double(draws))")
  }

  /// Sizes are lognormal with a deviation of 0.6. A file shrinks to between a fifth and all of it, and to less if it is
  /// large.
  private static func folder(_ count: Int) -> [RatioEstimate.File] {
    var generator = SeededGenerator(seed: 20)
    func normal() -> Double {
      (-2 * log(max(generator.unit(), 1e-12))).squareRoot() * cos(2 * .pi * generator.unit())
    }
    return (0..<count).map { _ in
      let spread = normal()
      let size = 3e6 * exp(0.6 * spread)
      return RatioEstimate.File(
        known: size, measured: size * min(max(0.6 - 0.08 * spread + 0.18 * normal(), 0.2), 1))
    }
  }
}
