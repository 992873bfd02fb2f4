import Analysis
import Foundation
import Model
import Store

/// Divides a sweep into parts of a given duration, from the time that a sample of its images took.
package struct ShardPlan: Sendable, Hashable {
  package let images: Int
  package let sampled: Int
  /// CPU seconds of all images, with the ends of the 95 % interval if they are not all in the sample.
  package let seconds: Double
  package let range: ClosedRange<Double>?
  package let jobs: Int
  /// Number of parts, at most one per image.
  package let count: Int
  /// Elapsed seconds of a part on the sample's machine.
  package let secondsOfPart: Double
  /// True if parts take longer than requested because the largest image does.
  package let isForLargest: Bool
  /// Upper bound on the expected time of the longest part, relative to the mean. Images with equal numbers of pixels
  /// take different times, and the largest of K normal errors with standard deviation σ is expected to be below σ·√(2
  /// ln K).
  package let longest: Double

  /// Plans parts of `wanted` elapsed seconds, or longer ones if the largest image takes longer: one job measures most
  /// of an image, whatever the others do. Nil if the sample has no cost to base the plan on.
  init?(_ cost: RunCost, sample: DrawnSample?, jobs: Int, seconds wanted: Double) {
    let pixels = cost.images.reduce(0) { $0 + Double($1.pixels) }
    let whole = DrawnSample(
      images: cost.images.count, pixels: pixels, population: cost.images.count, populationPixels: pixels,
      largestPixels: cost.images.map(\.pixels).max(), seed: 0)
    let outlook = SampleOutlook(sample ?? whole, cost: cost, cores: jobs, isFinished: true)
    guard let seconds = outlook.seconds, seconds > 0 else { return nil }
    (images, sampled, self.jobs) = (outlook.sample.population, cost.images.count, max(jobs, 1))
    (self.seconds, range) = (seconds, sample == nil ? nil : outlook.secondsRange)
    // All images and the largest, in the units by which `Shard` balances the parts.
    let all = outlook.sample.populationPixels + Double(Shard.cost(ofPixels: 0)) * Double(images)
    let largest = Double(Shard.cost(ofPixels: outlook.sample.largestPixels ?? 0))
    let wantedCount = (seconds / (wanted * Double(self.jobs))).rounded(.up)
    let possibleCount = min(wantedCount, Double(min(images, Shard.largestCount)))
    // With more parts than this, a part's other images take less time than the largest does in one job.
    let mostUseful = (all / (largest * Double(self.jobs))).rounded(.down)
    isForLargest = mostUseful < possibleCount
    count = Int(max(min(possibleCount, mostUseful), 1))
    secondsOfPart = seconds * max(1 / Double(count * self.jobs), largest / all)
    longest = Self.longest(cost, count: count, images: images)
  }

  private static func longest(_ cost: RunCost, count: Int, images: Int) -> Double {
    let rate = cost.images.reduce(0) { $0 + $1.seconds } / cost.images.reduce(0) { $0 + Double($1.pixels) }
    let errors = cost.images.map { $0.seconds / (rate * Double(max($0.pixels, 1))) - 1 }
    let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(max(errors.count - 1, 1))
    return 1 + (variance * Double(count) / Double(images) * 2 * log(Double(count))).squareRoot()
  }
}
