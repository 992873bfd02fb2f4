import Model
import Testing

@testable import Analysis
@testable import Store

@Suite struct BootstrapTests {
  static func values(_ count: Int, seed: UInt64 = 1) -> ImageValues {
    var generator = SeededGenerator(seed: seed)
    return ImageValues((0..<count).map { _ in generator.unit() * 10 })
  }

  @Test func theSameSeedGivesTheSameInterval() {
    let values = Self.values(60)
    let first = Bootstrap.interval(of: values, resamples: 2000, seed: 7)
    #expect(first != nil)
    #expect(first == Bootstrap.interval(of: values, resamples: 2000, seed: 7))
    #expect(first != Bootstrap.interval(of: values, resamples: 2000, seed: 8))
  }

  @Test func fewImagesHaveNoInterval() {
    #expect(Bootstrap.interval(of: Self.values(4), resamples: 2000, seed: 1) == nil)
    #expect(Bootstrap.interval(of: Self.values(5), resamples: 2000, seed: 1) != nil)
  }

  /// √(1 − 60/80) = 0.5, so both ends are half as far from the mean. The whole folder as a sample leaves no
  /// uncertainty.
  @Test(arguments: [12, 60, 1200]) func aSampleOfAFolderIsSurerOfIt(count: Int) throws {
    let values = Self.values(count)
    func interval(_ population: Int?) throws -> ConfidenceInterval {
      try #require(Bootstrap.interval(of: values, resamples: 200, seed: 1, population: population))
    }
    let (free, finite, mean) = (try interval(nil), try interval(count * 4 / 3), try #require(values.mean))
    #expect(abs((finite.upper - mean) - 0.5 * (free.upper - mean)) < 1e-9)
    #expect(abs((finite.lower - mean) - 0.5 * (free.lower - mean)) < 1e-9)
    #expect(finite.method == free.method)
    #expect(try interval(count).lower == mean && interval(count).upper == mean)
  }

  @Test func agreesWithTheNormalIntervalOfALargeCorpus() throws {
    let values = Self.values(1000)
    let drawn = try #require(Bootstrap.interval(of: values, resamples: 2000, seed: 1))
    let normal = try #require(Bootstrap.interval(of: ImageValues(values.few + [5]), resamples: 2000, seed: 1))
    #expect(drawn.method == .bootstrap)
    #expect(normal.method == .normal)
    #expect(abs(drawn.lower - normal.lower) < 0.03)
    #expect(abs(drawn.upper - normal.upper) < 0.03)
  }

  @Test func theMethodFollowsTheNumberOfImages() {
    let methods = [5, 50, 51, 1000, 1001].map { count in
      Bootstrap.interval(of: Self.values(count), resamples: 100, seed: 1)?.method
    }
    #expect(methods == [.studentT, .studentT, .bootstrap, .bootstrap, .normal])
  }

  /// Over many corpora drawn from one distribution, about 95 of 100 intervals contain its mean.
  @Test func coversTheMeanAsOftenAsItSays() {
    let hits = (1...200).count { seed in
      let interval = Bootstrap.interval(of: Self.values(60, seed: UInt64(seed)), resamples: 400, seed: 1)
      return interval.map { $0.lower <= 5 && 5 <= $0.upper } ?? false
    }
    #expect((176...200).contains(hits))
  }

  @Test func medians() {
    #expect([Double]().median == nil)
    #expect(([3, 1, 2] as [Double]).median == 2)
    #expect(([4, 1, 2, 3] as [Double]).median == 2.5)
  }
}
