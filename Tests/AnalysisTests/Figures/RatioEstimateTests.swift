import Foundation
import Model
import Testing

@testable import Analysis

struct RatioEstimateTests {
  /// Cochran's formula by hand: six of ten files with 30 of 60 known.
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
    #expect(abs(estimate.changePercent + 50) < 1e-12)
  }

  /// Double sampling by hand: of six files that are all there are, five were measured both ways.
  @Test func guessesWidenTheInterval() throws {
    let files = [3.0, 4, 5, 6, 7, 8].map { RatioEstimate.File(known: 10, measured: $0) }
    let stratum = RatioEstimate.Stratum(files, count: 6, known: 60)
    let errors = [0.5, -0.5, 0.25, -0.25, 0]
    let estimate = try #require(RatioEstimate([stratum], guessErrors: errors))
    // 6² · (1/5 − 1/6) · 0.625 / 4; t(4) = 2.7764.
    let variance = 36 * (1.0 / 5 - 1.0 / 6) * 0.625 / 4
    let interval = try #require(estimate.interval)
    #expect(estimate.total == 33 && abs(interval.upper - 33 - 2.776445 * variance.squareRoot()) < 1e-4)
    // Twice the folder: the sample's own variance is added, and the guesses' counts for twice the files.
    let half = RatioEstimate.Stratum(files, count: 12, known: 120)
    let (guessed, known) = (RatioEstimate([half], guessErrors: errors), RatioEstimate([half]))
    let widths = try [guessed, known].map { estimate in
      let interval = try #require(estimate?.interval)
      return interval.upper - interval.lower
    }
    #expect(widths[0] > widths[1])
  }

  @Test func intervalsEndWhereTotalsDo() throws {
    let files = (1...6).map { RatioEstimate.File(known: 10, measured: $0 == 1 ? 60 : 1) }
    let estimate = try #require(RatioEstimate(files, count: 100, known: 1000, most: 1200))
    #expect(estimate.interval?.lower == 0 && estimate.interval?.upper == 1200)
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

  /// Two kinds by hand: totals and variances of each, added.
  @Test func kindsAreAdded() throws {
    let (a, b) = ([2.0, 4, 5, 6, 6, 7], [10.0, 20])
    let first = zip(a, [1.0, 3, 2, 3, 4, 2]).map { RatioEstimate.File(known: $0, measured: $1) }
    let second = zip(b, [10.0, 26]).map { RatioEstimate.File(known: $0, measured: $1) }
    let estimate = try #require(
      RatioEstimate([.init(first, count: 10, known: 60), .init(second, count: 5, known: 75)]))
    // The second: R = 36/30, residuals −2 and 2, (X̄/x̄)² = 1, 25 · 0.6 / 2 · 8.
    #expect(abs(estimate.total - (30 + 90)) < 1e-9)
    let (v, w) = (1.44 * 100 * 0.4 / 6 * 4.5 / 5, 25 * 0.6 / 2 * 8.0)
    // Satterthwaite's freedom: 68.64² / (8.64²/5 + 60²/1) = 1.30, of which whole numbers hold 1: t = 12.706.
    let interval = try #require(estimate.interval)
    #expect(abs((interval.upper - 120) - 12.7062 * (v + w).squareRoot()) < 1e-2)
    // A kind that was measured whole adds nothing to doubt.
    let whole = try #require(
      RatioEstimate([.init(first, count: 10, known: 60), .init(second, count: 2, known: 30)]))
    let alone = try #require(RatioEstimate(first, count: 10, known: 60))
    let (both, one) = (try #require(whole.interval), try #require(alone.interval))
    #expect(abs(both.upper - one.upper - 36) < 1e-9 && abs(both.lower - one.lower - 36) < 1e-9)
    #expect(
      try #require(
        RatioEstimate([
          .init(first, count: 10, known: 60), .init(Array(second.prefix(1)), count: 5, known: 75),
        ])
      ).interval == nil)
  }

  /// How often the interval holds the true total of a folder of two kinds, a tenth of it files of another format from which
  /// little is to be gained. docs/lab/convert-check.md quotes the figures.
  @Test(arguments: [(12, 0.90), (24, 0.915), (48, 0.92)])
  func intervalsHoldTheTotalOfMixedFolders(size: Int, least: Double) throws {
    let large = Self.folder(360)
    let small = Self.folder(40).map {
      RatioEstimate.File(known: $0.known / 2, measured: min($0.known / 2, $0.measured * 0.8))
    }
    let kinds = [large, small]
    let known = kinds.map { $0.reduce(0) { $0 + $1.known } }
    let truth = kinds.joined().reduce(0) { $0 + $1.measured }
    let parts = FileSample.allocation(size, counts: kinds.map(\.count), bytes: known)
    var (held, bias, wide, plain) = (0, 0.0, 0.0, 0.0)
    let draws = 4000
    for draw in 0..<draws {
      let strata = kinds.indices.map { kind in
        RatioEstimate.Stratum(
          FileSample.drawn(parts[kind], of: kinds[kind].count, seed: UInt64(draw) &+ UInt64(kind) << 40)
            .map { kinds[kind][$0] }, count: kinds[kind].count, known: known[kind])
      }
      let estimate = try #require(RatioEstimate(strata))
      let interval = try #require(estimate.interval)
      if (interval.lower...interval.upper).contains(truth) { held += 1 }
      bias += estimate.total / truth - 1
      wide += (estimate.total / truth - 1) * (estimate.total / truth - 1)
      let all = large + small
      let sample = FileSample.drawn(size, of: all.count, seed: UInt64(draw)).map { all[$0] }
      let simple = try #require(RatioEstimate(sample, count: all.count, known: known.reduce(0, +)))
      plain += (simple.total / truth - 1) * (simple.total / truth - 1)
    }
    let coverage = Double(held) / Double(draws)
    #expect(coverage > least && coverage < 0.97, "\(coverage)")
    // Each kind's ratio has a bias of its own.
    #expect(abs(bias / Double(draws)) < 0.5 / Double(size), "\(bias / Double(draws))")
    // Hardly worse than a sample that knows of no kinds, where knowing of them helps least.
    #expect(wide < 1.15 * plain, "\(wide) \(plain)")
  }

  /// How often the interval holds the true total over samples of a folder whose sizes are spread as photographs' are,
  /// and whose saving depends on the size. docs/lab/convert-check.md quotes the figures.
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
    // A ratio of sums is biased by about 1/n of its spread: the saving depends on the size here.
    #expect(abs(bias / Double(draws)) < 0.2 / Double(size), "\(bias / Double(draws))")
  }

  /// Sizes lognormal with a deviation of 0.6; what a file becomes lies between a fifth of it and all of it, less
  /// where it is large.
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

extension RatioEstimate {
  fileprivate init?(_ sample: [File], count: Int, known: Double, most: Double = .infinity) {
    self.init([Stratum(sample, count: count, known: known)], most: most)
  }
}

extension RatioEstimate.Stratum {
  fileprivate init(_ sample: [RatioEstimate.File], count: Int, known: Double) {
    self.init(sample: sample, count: count, known: known)
  }
}
