import Model
import TestSupport
import Testing

@testable import Sweep
@testable import Workers

@Suite struct SweepCountersTests {
  private let slow = CodecVariant(codec: "heic")
  private let fast = CodecVariant(codec: "jpeg")

  private func key(_ variant: CodecVariant, _ thousandths: Int) throws -> PointKey {
    PointKey(
      image: ImageIdentity(name: "a", contentHash: ""), preparation: "", variant: variant,
      quality: try #require(Quality(thousandths: thousandths)), libraries: "")
  }

  @Test func theTimeLeftFollowsPixelsAndCost() throws {
    let sweep = try ScriptedSweep(
      images: ["nothing", "nothing"], variants: ["scripted", "scripted:do=hang"], qualities: "0.1,0.2",
      side: 1000)
    var counters = SweepCounters(plan: sweep.plan, jobs: 2)
    #expect(counters.progress().remaining == nil)
    let points = sweep.plan.points(of: sweep.plan.entries[0])
    counters.learn(points[0], pixels: 1_000_000, seconds: 1, peakBytes: 5)
    counters.finish(points[0], pixels: 1_000_000)
    counters.learn(points[2], pixels: 1_000_000, seconds: 9, peakBytes: 7)
    counters.finish(points[2], pixels: 1_000_000)
    // Three points of each variant are left, at 1 and 9 seconds and what a quality of 0.2 takes more, for two jobs; one
    // image has a row more.
    let progress = counters.progress()
    let remaining = try #require(progress.remaining)
    #expect((15...18).contains(remaining))
    #expect(progress.done == 2)
    #expect(progress.total == 8)
    #expect(progress.isEstimated)
    #expect(abs(try #require(progress.share) - 10 / (10 + 2 * remaining)) < 1e-9)
    #expect(counters.summary.peakWorkerBytes == 7)
  }

  @Test func anUnusableImageLeavesTheTotal() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "nothing"], qualities: "0.1,0.2")
    var counters = SweepCounters(plan: sweep.plan, jobs: 1)
    let points = sweep.plan.points(of: sweep.plan.entries[0])
    counters.giveUp(points.dropFirst(), pixels: 256, isNewImage: true)
    counters.giveUp(points.prefix(1), pixels: 256, isNewImage: false)
    #expect(counters.progress().total == 2)
    #expect(counters.progress().imageProblems == 1)
  }

  @Test func aWorkersAbsurdTimesAreNoTrap() {
    let sample = TimingSample(wallNanoseconds: .max, cpuNanoseconds: .max)
    let timing = TimingSeries(conditions: .single, encode: [sample, sample], decode: [sample, sample])
    let measurement = Measurement(
      nativeQuality: 1, encodedBytes: 1, encodedHash: "", timing: timing, scoringCPUNanoseconds: .max)
    var summary = SweepSummary()
    summary.count(.measured(measurement))
    summary.count(.measured(measurement))
    #expect(summary.measured == 2)
    #expect(timing.medianEncodeSeconds > 9e9)
  }

  @Test func theDearestPointsComeFirst() throws {
    var costs = CostModel()
    let points = [try key(fast, 100), try key(fast, 900), try key(slow, 100), try key(slow, 900)]
    #expect(costs.dearestFirst(points).map(\.quality.thousandths) == [900, 100, 900, 100])
    costs.learn(try key(fast, 500), pixels: 1000, seconds: 1)
    #expect(costs.dearestFirst(points).first?.variant == slow)
    #expect(costs.cheapestFirst(points).first?.variant == slow)
    costs.learn(try key(slow, 500), pixels: 1000, seconds: 0.5)
    #expect(costs.dearestFirst(points).first?.variant == fast)
    #expect(costs.cheapestFirst(points).first?.variant == slow)
  }

  @Test func theTimeoutGrowsWithTheImage() {
    var configuration = RunnerConfiguration(jobs: 0)
    #expect(configuration.jobs == 1)
    #expect(configuration.timeout(pixels: 0, repeats: 1) == 60)
    #expect(configuration.timeout(pixels: 12_000_000, repeats: 2) == 840)
    configuration.timeout = 5
    #expect(configuration.timeout(pixels: 12_000_000, repeats: 2) == 5)
  }
}
