import Foundation
import Model
import Store
import Testing

@testable import HeicBenchKit

struct ShardPlanTests {
  private static func cost(_ seconds: [Double]) -> RunCost {
    RunCost(images: seconds.map { (1_000_000, $0) }, processors: ["one"], storeBytes: 1)
  }

  /// 100 images of 10 seconds on 2 cores make 5 shards of 100 seconds, not of 101.
  @Test func partsTakeTheWantedTime() throws {
    let sample = DrawnSample(images: 8, pixels: 8e6, population: 100, populationPixels: 1e8, seed: 1)
    let equal = Self.cost(Array(repeating: 10, count: 8))
    let plan = try #require(ShardPlan(equal, sample: sample, jobs: 2, seconds: 101))
    #expect(plan.images == 100 && plan.sampled == 8 && plan.count == 5)
    #expect(abs(plan.secondsOfPart - 100) < 1e-9 && plan.longest == 1)
    // Slightly less time takes one more shard, and no shard is empty.
    #expect(try #require(ShardPlan(equal, sample: sample, jobs: 2, seconds: 99)).count == 6)
    #expect(try #require(ShardPlan(equal, sample: sample, jobs: 2, seconds: 1e-6)).count == 100)
  }

  /// An image of 15 of 100 megapixels keeps one of two jobs busy for 150 of 1000 seconds. With four shards instead of
  /// three, none would be shorter.
  @Test func noPartIsShorterThanTheLargestImageTakes() throws {
    let sample = DrawnSample(
      images: 8, pixels: 8e6, population: 100, populationPixels: 1e8, largestPixels: 15_000_000, seed: 1)
    let equal = Self.cost(Array(repeating: 10, count: 8))
    let plan = try #require(ShardPlan(equal, sample: sample, jobs: 2, seconds: 101))
    #expect(plan.count == 3 && plan.isForLargest && plan.secondsOfPart >= 150)
    // With one job, a shard needs nothing beside the image.
    #expect(try #require(ShardPlan(equal, sample: sample, jobs: 1, seconds: 101)).count == 6)
    let long = try #require(ShardPlan(equal, sample: sample, jobs: 2, seconds: 251))
    #expect(long.count == 2 && !long.isForLargest)
    let all = RunCost(images: [(1_000_000, 10), (3_000_000, 30)], processors: ["one"], storeBytes: 1)
    let one = try #require(ShardPlan(all, sample: nil, jobs: 2, seconds: 1))
    #expect(one.count == 1 && one.secondsOfPart > 29 && one.secondsOfPart < 31)
  }

  /// Errors of ±0.1 with Bessel's correction, 20 images in each of 5 shards, and the longest of them.
  @Test func imagesThatDifferMakePartsThatDiffer() throws {
    let sample = DrawnSample(images: 8, pixels: 8e6, population: 100, populationPixels: 1e8, seed: 1)
    let unlike = Self.cost([9, 11, 9, 11, 9, 11, 9, 11])
    let plan = try #require(ShardPlan(unlike, sample: sample, jobs: 2, seconds: 101))
    #expect(plan.count == 5)
    #expect(abs(plan.longest - 1 - (0.08 / 7 / 20 * 2 * log(5.0)).squareRoot()) < 1e-12)
  }

  @Test func allImagesNeedNoProjection() throws {
    let plan = try #require(ShardPlan(Self.cost([30, 10, 20]), sample: nil, jobs: 1, seconds: 31))
    #expect(plan.seconds == 60 && plan.range == nil && plan.count == 2 && plan.images == 3)
    #expect(ShardPlan(RunCost(), sample: nil, jobs: 1, seconds: 60) == nil)
  }
}
