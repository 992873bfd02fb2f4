import Model
import Store
import Testing

@testable import Analysis

struct SampleOutlookTests {
  private static let sample = DrawnSample(
    images: 6, pixels: 12, population: 60, populationPixels: 240, seed: 1)

  private static func cost(_ processors: Set<String> = ["one"]) -> RunCost {
    RunCost(
      images: [1, 1, 2, 2, 3, 3].enumerated().map { ($1, Double($1) * ($0 % 2 == 0 ? 9 : 11)) },
      processors: processors, storeBytes: 1000)
  }

  /// Ten seconds for each of 240 pixels.
  @Test func theWholeIsProjectedByPixels() throws {
    let outlook = SampleOutlook(Self.sample, cost: Self.cost(), cores: 2, isFinished: true)
    #expect(try abs(#require(outlook.seconds) - 2400) < 1e-9)
    let range = try #require(outlook.secondsRange)
    #expect(range.contains(2400) && range.lowerBound > 2000)
    #expect(outlook.bytes == 10_000)
  }

  @Test func nothingIsProjectedFromPartsOfARunOrUnlikeProcessors() {
    #expect(SampleOutlook(Self.sample, cost: Self.cost(), cores: 2, isFinished: false).seconds == nil)
    let mixed = SampleOutlook(Self.sample, cost: Self.cost(["one", "two"]), cores: 2, isFinished: true)
    #expect(mixed.seconds == nil)
  }

  @Test func fourTimesAsManyImagesHalveTheInterval() {
    var large = Self.sample
    large.population = 1_000_000_000
    func outlook(_ sample: DrawnSample) -> SampleOutlook {
      SampleOutlook(sample, cost: Self.cost(), cores: 2, isFinished: true)
    }
    #expect(abs(outlook(large).narrowing(24, images: 6) - 0.5) < 1e-6)
    // √(6/24 · (1 − 24/60)/(1 − 6/60))
    #expect(abs(outlook(Self.sample).narrowing(24, images: 6) - (1.0 / 6).squareRoot()) < 1e-12)
    #expect(outlook(Self.sample).narrowing(60, images: 6) == 0)
  }
}
