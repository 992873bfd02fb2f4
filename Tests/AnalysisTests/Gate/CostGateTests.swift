@testable import Analysis
import Model
import Testing

struct CostGateTests {
  private static let origin = TimesOrigin(host: "a", processor: "b", jobs: 1)

  private func read(
    _ image: String, cpu: Double = 10, spread: Double = 0.1, peak: Double = 20, score: Double = 90,
    status: String = "measured", hash: String? = "1", origin: TimesOrigin? = origin, repeats: Int = 3
  ) -> GatedCost {
    var read = GatedCost(
      .reads,
      [
        "image": image, "source": "encoded", "codec": "heic", "quality": "0.8", "route": "full",
        "wanted": "320",
        "status": status, "touched_bytes": "1000",
      ])
    read.hash = hash
    read.origin = origin
    guard status == "measured" else { return read }
    (read.score, read.peakMiB) = (score, peak)
    read.times = GatedCost.Times(median: cpu, minimum: cpu - spread, deviation: spread, repeats: repeats)
    return read
  }

  private func gate(
    _ before: [GatedCost], _ after: [GatedCost], required: Set<String> = []
  ) -> CostGateReport {
    var report = CostGate(.reads, GateTolerances()).compare(before, after)
    report.add(unguarded: required.subtracting(report.held))
    return report
  }

  private func quantities(_ report: CostGateReport) -> [CostFinding.Quantity] {
    report.regressions.map(\.quantity)
  }

  @Test func whatIsTheSamePasses() {
    let reads = [read("a"), read("b")]
    let report = gate(reads, reads)
    #expect(report.regressions.isEmpty && report.compared == 2 && report.timedGroups == 1)
    #expect(!report.fails(onImprovement: true))
  }

  @Test func nothingThatIsNotThereHasPassed() {
    #expect(quantities(gate([read("a")], [])) == [.vanished, .uncompared])
    #expect(quantities(gate([read("a"), read("b")], [read("a")])) == [.vanished])
    #expect(
      quantities(gate([read("a"), read("b")], [read("a"), read("b", status: "unsupported")])) == [.failure])
    #expect(quantities(gate([read("a"), read("b")], [read("a"), read("b", hash: "2")])) == [.changed])
    // A file that is cut short has other bytes, too.
    let cut = read("b", status: "failed", hash: "2")
    #expect(quantities(gate([read("a"), read("b")], [read("a"), cut])) == [.failure])
    var unscored = read("a")
    unscored.score = nil
    #expect(quantities(gate([read("a")], [unscored])) == [.score])
    var unweighed = read("a")
    unweighed.peakMiB = nil
    #expect(quantities(gate([read("a")], [unweighed])) == [.memory])
    // Growth that small may come to nothing, but not everywhere.
    #expect(quantities(gate([read("a", peak: 0.9), read("b")], [unweighed, read("b")])).isEmpty)
    #expect(quantities(gate([read("a", peak: 0.9)], [unweighed])) == [.memory])
    #expect(
      quantities(gate([read("a")], [read("a")], required: ["total-bytes", "decode-time"])) == [.unguarded])
    // A threshold of times that cannot be compared guards nothing.
    let times: Set = ["decode-time", "decode-memory"]
    #expect(quantities(gate([read("a", origin: nil)], [read("a")], required: times)) == [.unguarded])
    // What was not measured in the baseline guards nothing.
    #expect(quantities(gate([read("a", status: "failed")], [read("a")])) == [.uncompared])
  }

  @Test func memoryAndScoresHaveThresholds() {
    #expect(quantities(gate([read("a")], [read("a", peak: 24)])).isEmpty)
    #expect(quantities(gate([read("a")], [read("a", peak: 24.2)])) == [.memory])
    // Under a mebibyte it is a page here and there.
    #expect(quantities(gate([read("a", peak: 1)], [read("a", peak: 1.9)])).isEmpty)
    #expect(quantities(gate([read("a")], [read("a", score: 89.4)])) == [.score])
    #expect(gate([read("a")], [read("a", score: 91)]).improvements.map(\.quantity) == [.score])
    #expect(gate([read("a")], [read("a", score: 91)]).isPureImprovement)
  }

  @Test func timesAreComparedOnOneMachineAlone() {
    let slower = gate([read("a"), read("b")], [read("a", cpu: 13), read("b", cpu: 13)])
    #expect(quantities(slower) == [.time] && slower.regressions.first?.before == 20)
    #expect(gate([read("a", cpu: 13)], [read("a")]).improvements.map(\.quantity) == [.time])
    // One image of two is slower by a third: the sum is what counts.
    #expect(quantities(gate([read("a"), read("b")], [read("a", cpu: 13), read("b")])).isEmpty)
    // Less than two milliseconds are the scheduler's.
    #expect(quantities(gate([read("a", cpu: 3.7)], [read("a", cpu: 5.6)])).isEmpty)
    #expect(quantities(gate([read("a", cpu: 3.7)], [read("a", cpu: 5.8)])) == [.time])
    // One decode that serves two sizes is one finding.
    var (small, slow) = (read("a"), read("a", cpu: 13))
    small.name.title += " too"
    slow.name.title = small.name.title
    let twice = gate([read("a"), small], [read("a", cpu: 13), slow])
    #expect(quantities(twice) == [.time] && twice.timedGroups == 1)
    let elsewhere = TimesOrigin(host: "other", processor: "b", jobs: 1)
    let other = gate([read("a")], [read("a", cpu: 100, origin: elsewhere)])
    #expect(quantities(other).isEmpty && other.untimedGroups == 1 && other.compared == 1)
    #expect(gate([read("a", origin: nil)], [read("a", cpu: 100, origin: nil)]).untimedGroups == 1)
    // Noise as large as the change, or too few repeats, decide nothing.
    let noisy = gate([read("a", spread: 4)], [read("a", cpu: 13, spread: 4)])
    #expect(quantities(noisy).isEmpty && noisy.inconclusive.map(\.quantity) == [.time])
    #expect(gate([read("a", repeats: 2)], [read("a", cpu: 13, repeats: 2)]).inconclusive.count == 1)
  }

  /// A baseline file rounds, and what is as much as the threshold before is not more than it after.
  @Test func roundingIsNoRegression() {
    #expect(quantities(gate([read("a")], [read("a", peak: 24.0001)])).isEmpty)
    #expect(quantities(gate([read("a")], [read("a", peak: 24.0004)])) == [.memory])
  }

  @Test func otherLibrariesGetMoreRoom() {
    var (old, new) = (read("a"), read("a", score: 88))
    (old.libraries, new.libraries) = ("libheif 1", "libheif 2")
    #expect(gate([old], [new]).regressions.isEmpty && gate([old], [new]).usesWiderTolerance)
    new.libraries = "libheif 1"
    #expect(quantities(gate([old], [new])) == [.score])
  }
}
