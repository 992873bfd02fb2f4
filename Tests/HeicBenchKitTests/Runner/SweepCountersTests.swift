import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct SweepCountersTests {
  private let slow = CodecVariant(codec: "heic")
  private let fast = CodecVariant(codec: "jpeg")

  private func key(_ variant: CodecVariant, _ thousandths: Int) throws -> Case {
    Case(
      image: ImageIdentity(name: "a", contentHash: ""), preparation: "", variant: variant,
      quality: try #require(Quality(thousandths: thousandths)), libraries: "")
  }

  /// What a point of so many seconds of encoding took, on a machine with nothing else to do.
  private func report(_ seconds: Double, _ key: Case, of image: Int) -> PointReport {
    let sample = TimingSample(wallNanoseconds: Int64(seconds * 1e9), cpuNanoseconds: Int64(seconds * 1e9))
    let measurement = Figures(
      nativeQuality: 1, encodedBytes: 1, encodedHash: "",
      timing: TimingSeries(conditions: .single, encode: [sample], decode: []))
    return PointReport(
      key: key, image: image, response: .answered(measurement), peakBytes: 7, seconds: seconds)
  }

  @Test func theTimeLeftFollowsPixelsAndCost() throws {
    let sweep = try ScriptedSweep(
      images: Array(repeating: "nothing", count: 4), variants: ["scripted", "scripted:do=hang"],
      qualities: "0.5", side: 1000)
    var counters = SweepCounters(plan: sweep.plan, jobs: 2)
    #expect(counters.progress().remaining == nil)
    for (image, entry) in sweep.plan.entries.dropLast(2).enumerated() {
      for (key, seconds) in zip(sweep.plan.points(of: entry), [1.0, 9]) {
        let report = report(seconds, key, of: image)
        counters.summary.count(try #require(report.response.outcome))
        counters.learn(report, pixels: 1_000_000, session: 0)
        counters.finish(key, of: image)
        // The first image's points are the slot's first ones.
        if image == 0 { #expect(counters.progress().remaining == nil) }
      }
    }
    // Two images are left, at 1 and 9 seconds for two jobs.
    let progress = counters.progress(at: .max)
    let remaining = try #require(progress.remaining)
    #expect((9...11).contains(remaining))
    let cpuSeconds = try #require(progress.cpuRemaining)
    #expect(abs(cpuSeconds - 20) < 0.5)
    #expect(progress.done == 4)
    #expect(progress.total == 8)
    #expect(abs(try #require(progress.share) - 20 / (20 + cpuSeconds)) < 1e-9)
    #expect(counters.summary.peakWorkerBytes == 7)
  }

  @Test func whatACodecRefusesTakesNoTime() throws {
    let sweep = try ScriptedSweep(
      images: Array(repeating: "nothing", count: 3), variants: ["scripted", "scripted:do=hang"],
      qualities: "0.5", side: 1000)
    var counters = SweepCounters(plan: sweep.plan, jobs: 1)
    for (image, entry) in sweep.plan.entries.dropLast().enumerated() {
      let points = sweep.plan.points(of: entry)
      var refused = report(1, points[1], of: image)
      refused.response = .failed(.unsupported("not this one"))
      for report in [report(4, points[0], of: image), refused] {
        counters.summary.count(try #require(report.response.outcome))
        counters.learn(report, pixels: 1_000_000, session: 0)
        counters.finish(report.key, of: image)
      }
    }
    let remaining = try #require(counters.progress(at: .max).remaining)
    #expect((3.9...4.4).contains(remaining))
  }

  @Test func anUnusableImageLeavesTheTotal() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "nothing"], qualities: "0.1,0.2")
    var counters = SweepCounters(plan: sweep.plan, jobs: 1)
    let points = sweep.plan.points(of: sweep.plan.entries[0])
    counters.giveUp(points.count - 1, of: 0, isNewImage: true)
    counters.giveUp(1, of: 0, isNewImage: false)
    #expect(counters.progress().total == 2)
    #expect(counters.progress().imageProblems == 1)
  }

  @Test func aWorkersAbsurdTimesAreNoTrap() {
    let sample = TimingSample(wallNanoseconds: .max, cpuNanoseconds: .max)
    let timing = TimingSeries(conditions: .single, encode: [sample, sample], decode: [sample, sample])
    let measurement = Figures(
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
