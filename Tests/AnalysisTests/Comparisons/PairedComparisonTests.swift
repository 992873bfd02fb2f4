import Foundation
import Model
import SampleData
import Testing

@testable import Analysis

/// Compares every two variants image by image.
@Suite struct PairedComparisonTests {
  private static let names = ["jpeg", "heic", "avif", "webp"]
  private static let variants =
    names.map { CodecVariant(codec: $0) } + [CodecVariant(codec: "avif", build: "new")]

  /// In six images, HEIC needs 50 to 90 % of JPEG's bytes, every build of AVIF 87 % of HEIC's, and WebP sometimes more
  /// and sometimes fewer than HEIC.
  private static func analysis(_ images: Int = 6, lacking: (image: Int, variant: Int)? = nil) throws
    -> Analysis
  {
    var builder = AnalysisBuilder(variants: variants, metrics: SampleRows.metrics)
    for image in 0..<images {
      let heic = 0.5 + 0.08 * Double(image)
      let shares = [1, heic, 0.87 * heic, heic * (image.isMultiple(of: 2) ? 1.02 : 0.98), 0.87 * heic]
      for (index, variant) in variants.enumerated() where lacking.map({ $0 != (image, index) }) ?? true {
        for quality in 1...9 {
          let bytes = Int((100_000 * Double(quality) * shares[index]).rounded())
          try builder.add(
            SampleRows.measured(
              "\(image)", variant: variant, quality: 100 * quality, bytes: bytes,
              score: 40 + 6 * Double(quality),
              cpu: 2))
        }
      }
    }
    return builder.finish()
  }

  @Test("pairs separate variants whose intervals against a third one overlap")
  func pairs() throws {
    let analysis = try Self.analysis()
    let own = try #require(analysis.verdicts.first { $0.variant == Self.variants[1] }?.bytes?.interval)
    let other = try #require(analysis.verdicts.first { $0.variant == Self.variants[2] }?.bytes?.interval)
    #expect(own.lower < other.upper && other.lower < own.upper, "these intervals overlap")
    let pair = try #require(
      analysis.comparison(of: Self.variants[2], against: Self.variants[1], at: 70))
    #expect(abs(pair.changePercent + 13) < 0.01 && pair.isToldApart)
    #expect(pair.images == 6 && pair.smallerIn == 6 && pair.largerIn == 0)
    let interval = try #require(pair.interval)
    #expect(interval.lower > -13.1 && interval.upper < -12.9 && interval.method == .studentT)
    #expect(Set(analysis.comparisons.map(\.scores)).isSuperset(of: [70...70, 80...80, 90...90]))
    #expect(analysis.comparisons.filter { $0.scores == 70...70 }.count == 10)
  }

  @Test("BD-rates are compared between every two variants, image by image")
  func bdRates() throws {
    let analysis = try Self.analysis()
    #expect(analysis.bdRateComparisons.count == 10)
    let pair = try #require(
      analysis.bdRateComparisons.first {
        $0.variant == Self.variants[2] && $0.against == Self.variants[1]
      })
    #expect(pair.scores == analysis.options.band && pair.images == 6 && pair.isToldApart)
    #expect(abs(pair.changePercent + 13) < 0.01)
    #expect(pair.interval.map { $0.lower > -13.1 && $0.upper < -12.9 } == true)
  }

  /// `scipy.stats.ttest_rel` of SciPy 1.17 for the logarithms of `a · r` and `a`, as percent of change: the mean and
  /// `confidence_interval(0.95)`, for the numbers of Park and Miller's generator (1988) from the seed n + 1.
  @Test(
    "the interval is that of SciPy's paired t test",
    arguments: [
      (6, -3.9182574060513398, -14.598935842957806, 8.098199372712966),
      (24, -9.819315542582096, -14.463217787258486, -4.923289854631097),
      (200, -8.699229192282676, -10.244677922380552, -7.127170209755452),
    ])
  func agreesWithSciPy(count: Int, mean: Double, lower: Double, upper: Double) throws {
    var state = count + 1
    let uniform = (0..<2 * count).map { _ in
      state = state * 48_271 % 2_147_483_647
      return Double(state) / 2_147_483_647
    }
    let pair = try #require(
      PairedComparison(
        Self.variants[1], against: Self.variants[0], at: 80,
        logarithms: uniform[count...].map { log(0.7 + 0.4 * $0) }))
    let interval = try #require(pair.interval)
    #expect(abs(pair.changePercent - mean) < 1e-9)
    #expect(abs(interval.lower - lower) < 1e-9 && abs(interval.upper - upper) < 1e-9)
  }

  @Test("variants that differ in both directions are not told apart, and equal files are the same")
  func ties() throws {
    let analysis = try Self.analysis()
    let tie = try #require(analysis.comparison(of: Self.variants[3], against: Self.variants[1], at: 70))
    #expect(!tie.isToldApart && !tie.isSame && tie.smallerIn == 3 && tie.largerIn == 3)
    let same = try #require(analysis.comparison(of: Self.variants[4], against: Self.variants[2], at: 70))
    #expect(same.isSame && !same.isToldApart && same.interval == nil && same.changePercent == 0)
  }

  @Test("the reverse comparison is the inverse, and few images have no interval")
  func reversal() throws {
    let analysis = try Self.analysis(4, lacking: (1, 2))
    let pair = try #require(analysis.comparison(of: Self.variants[2], against: Self.variants[0], at: 70))
    let other = try #require(analysis.comparison(of: Self.variants[0], against: Self.variants[2], at: 70))
    #expect(pair.images == 3 && other.images == 3 && pair.interval == nil && !pair.isToldApart)
    #expect(abs((1 + pair.changePercent / 100) * (1 + other.changePercent / 100) - 1) < 1e-12)
    #expect(other.smallerIn == pair.largerIn && other.largerIn == pair.smallerIn)
    let wide = try #require(
      try Self.analysis().comparison(of: Self.variants[0], against: Self.variants[1], at: 70))
    #expect(wide.interval.map { $0.lower < wide.changePercent && wide.changePercent < $0.upper } == true)
    #expect(analysis.comparison(of: Self.variants[0], against: CodecVariant(codec: "no"), at: 70) == nil)
  }
}
