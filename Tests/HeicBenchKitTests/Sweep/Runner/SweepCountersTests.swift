import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct SweepCountersTests {
  /// The report of a point with this many seconds of encoding, on an otherwise idle machine.
  private func report(_ seconds: Double, _ key: Case, of image: Int) -> PointReport {
    let sample = TimingSample(wallNanoseconds: Int64(seconds * 1e9), cpuNanoseconds: Int64(seconds * 1e9))
    let measurement = Figures(
      nativeQuality: 1, encodedBytes: 1, encodedHash: "",
      timing: TimingSeries(conditions: .single, encode: [sample], decode: []))
    return PointReport(
      key: key, image: image, response: .answered(measurement), peakBytes: 7, seconds: seconds,
      recorded: .measured(measurement))
  }

  @Test func theTimeLeftFollowsPixelsAndCost() throws {
    let sweep = try ScriptedSweep(
      images: Array(repeating: "nothing", count: 4), variants: ["scripted", "scripted:do=hang"],
      qualities: "0.5", side: 1000)
    var counters = SweepCounters(plan: sweep.plan, jobs: 2)
    #expect(counters.progress().remaining == nil)
    for (image, entry) in sweep.plan.entries.dropLast(2).enumerated() {
      for (key, seconds) in zip(sweep.plan.points(of: entry), [1.0, 9]) {
        counters.count(report(seconds, key, of: image), session: 0)
        // The first image's points are the first ones of the slot.
        if image == 0 { #expect(counters.progress().remaining == nil) }
      }
    }
    // Two images are left, at 1 and 9 seconds, for two jobs.
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

  @Test("The workers of a later pass count, even if the pass before it started none")
  func laterPass() {
    var (summary, pass) = (SweepSummary(), SweepSummary())
    (pass.sandbox, pass.peakWorkerBytes) = (SandboxStatus(landlock: 4, seccomp: true), 7)
    summary.add(pass)
    summary.add(SweepSummary())
    #expect(summary.sandbox == pass.sandbox && summary.peakWorkerBytes == 7)
  }

  @Test func whatACodecRefusesTakesNoTime() throws {
    let sweep = try ScriptedSweep(
      images: Array(repeating: "nothing", count: 3), variants: ["scripted", "scripted:do=hang"],
      qualities: "0.5", side: 1000)
    var counters = SweepCounters(plan: sweep.plan, jobs: 1)
    for (image, entry) in sweep.plan.entries.dropLast().enumerated() {
      let points = sweep.plan.points(of: entry)
      var refused = report(1, points[1], of: image)
      refused.recorded = .unsupported("not this one")
      for report in [report(4, points[0], of: image), refused] {
        counters.count(report, session: 0)
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
    let sweep = try ScriptedSweep(
      images: ["nothing", "nothing"], variants: ["scripted", "scripted:do=hang"], qualities: "0.1,0.9")
    var left = WorkLeft(sweep.plan)
    let points = sweep.plan.points(of: sweep.plan.entries[0])
    let (fast, slow) = (points[0], points[2])
    #expect(left.dearestFirst(points).map(\.quality.thousandths) == [900, 100, 900, 100])
    left.learn(fast, of: 0, seconds: 1)
    #expect(left.dearestFirst(points).first?.variant == slow.variant)
    #expect(left.cheapestFirst(points).first?.variant == slow.variant)
    left.learn(slow, of: 0, seconds: 0.5)
    #expect(left.dearestFirst(points).first?.variant == fast.variant)
    #expect(left.cheapestFirst(points).first?.variant == slow.variant)
    let refused = CodecVariant(codec: "refused")
    let unknown = Case(
      image: fast.image, preparation: fast.preparation, variant: refused, quality: 0.5, libraries: "")
    #expect(left.dearestFirst([fast, unknown]).first?.variant == refused, "it may take long")
  }

  @Test func anImageThatTakesLongToOpenIsOpenedOnce() throws {
    let sweep = try ScriptedSweep(
      images: Array(repeating: "nothing", count: 3), qualities: "0.5,0.9", side: 1000)
    // An image has two points of a second each, so a tenth of a second is too long.
    for (opening, isOpenedTwice) in [(0.0, true), (0.001, true), (0.1, false), (1, false)] {
      var counters = SweepCounters(plan: sweep.plan, jobs: 1)
      #expect(counters.mayOpenAgain(2, times: 1), "nothing is known yet")
      for image in 0...1 {
        for (index, key) in sweep.plan.points(of: sweep.plan.entries[image]).enumerated() {
          var report = report(1, key, of: image)
          report.hasOpened = index == 0
          // The first opening also starts a worker; with an open image it takes a moment.
          report.openingSeconds = index > 0 ? 1e-6 : image == 0 ? 5 : opening
          report.seconds = 1 + report.openingSeconds
          counters.count(report, session: 0)
        }
      }
      #expect(counters.mayOpenAgain(2, times: 1) == isOpenedTwice, "\(opening)")
    }
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
