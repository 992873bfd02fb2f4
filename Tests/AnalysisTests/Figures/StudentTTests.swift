import Foundation
import Model
import Testing

@testable import Analysis
@testable import Store

@Suite struct StudentTTests {
  /// Table 26.10 of Abramowitz and Stegun.
  @Test(arguments: [
    (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (11, 2.201), (23, 2.069), (40, 2.021),
    (60, 2.000), (120, 1.980),
  ])
  func quantilesAreThoseOfTheTables(degreesOfFreedom: Int, value: Double) {
    #expect(abs(StudentT.quantile(central: 0.95, degreesOfFreedom: degreesOfFreedom) - value) < 0.0006)
  }

  @Test func theIntervalIsMeanAndErrors() throws {
    let interval = try #require(
      Bootstrap.interval(of: ImageValues([1, 2, 3, 4, 5]), resamples: 2000, seed: 1))
    #expect(interval.method == .studentT)
    #expect(abs(interval.lower - (3 - 2.776445 * 0.7071068)) < 1e-5)
    #expect(abs(interval.upper - (3 + 2.776445 * 0.7071068)) < 1e-5)
  }

  /// How often the interval of `count` images from a population contains the population's mean, in percent.
  static func coverage(of count: Int, skewed: Bool) -> Double {
    var generator = SeededGenerator(seed: UInt64(count) * 2 + (skewed ? 1 : 0))
    var normal: Double {
      (-2 * log(1 - generator.unit())).squareRoot() * cos(2 * .pi * generator.unit())
    }
    let corpora = 4000
    var hits = 0
    for _ in 0..<corpora {
      // Logarithms of byte ratios around −0.36 with a spread of 0.16, as for photographs. The skewed ones have a long
      // tail, a log-normal of skewness 1.75, moved to the same mean.
      let values = (0..<count).map { _ in
        skewed ? -0.36 + 0.16 * (exp(0.5 * normal) - exp(0.125)) : -0.36 + 0.16 * normal
      }
      guard let interval = Bootstrap.interval(of: ImageValues(values), resamples: 400, seed: 1) else {
        continue
      }
      if interval.lower <= -0.36, -0.36 <= interval.upper { hits += 1 }
    }
    return Double(hits) / Double(corpora) * 100
  }

  /// The percentile bootstrap, which was used before, contains the mean of five images in 83 of 100 corpora.
  @Test(arguments: [5, 8, 12, 24])
  func coversWhatItClaims(count: Int) {
    let normal = Self.coverage(of: count, skewed: false)
    let skewed = Self.coverage(of: count, skewed: true)
    print("coverage of \(count) images: normal \(normal) %, skewed \(skewed) %")
    #expect((94...96).contains(normal), "\(normal)")
    #expect((90...96).contains(skewed), "\(skewed)")
  }
}
