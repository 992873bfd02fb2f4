import Metrics
import Model
import Testing

@testable import Analysis
@testable import Store

@Suite struct ReadGateTests {
  private static let origin = TimesOrigin(host: "a", processor: "b", jobs: 1)

  private func read(
    _ image: String, cpu: Double = 10, spread: Double = 0.1, peak: Double? = 20, score: Double? = 90,
    status: ResultRow.Status = .measured, hash: String? = nil, origin: TimesOrigin? = origin,
    repeats: Int = 3,
    wanted: String = "320"
  ) -> ResultRow {
    var read = ResultRow(image: image, status: status)
    (read.variant, read.quality) = (CodecVariant(codec: "heic"), 0.8)
    (read.way.route, read.way.wanted, read.way.touchedBytes) = ("full", wanted, 1000)
    read.imageHash = hash ?? image
    read.timesOrigin = origin
    guard status == .measured else { return read }
    read.scores = score.map { ["ssimulacra2": $0] } ?? [:]
    read.figures[.decodePeak] = peak
    read[.decode, .cpu] = ResultRow.Timing(minimum: cpu - spread, median: cpu, deviation: spread)
    read.repeats = repeats
    return read
  }

  private func gate(
    _ before: [ResultRow], _ after: [ResultRow], required: Set<String> = []
  ) throws -> GateReport {
    var report = try GateBuilder.compare(.reads, before, after)
    for key in required.subtracting(report.held).sorted() { report.add(unguarded: key) }
    return report
  }

  private func quantities(_ report: GateReport) -> [GateQuantity] { report.regressions.map(\.quantity) }

  @Test func whatIsTheSamePasses() throws {
    let reads = [read("a"), read("b")]
    let report = try gate(reads, reads)
    #expect(report.regressions.isEmpty && report.comparedPoints == 2 && report.held.contains("decode-time"))
    #expect(!report.isRegression && report.improvements.isEmpty)
  }

  @Test func nothingThatIsNotThereHasPassed() throws {
    #expect(quantities(try gate([read("a")], [])) == [.vanished, .uncompared])
    #expect(quantities(try gate([read("a"), read("b")], [read("a")])) == [.vanished])
    #expect(
      quantities(try gate([read("a"), read("b")], [read("a"), read("b", status: .unsupported)])) == [
        .failure
      ])
    #expect(quantities(try gate([read("a"), read("b")], [read("a"), read("b", hash: "2")])) == [.changed])
    // A truncated file has other bytes, too.
    let cut = read("b", status: .failed, hash: "2")
    #expect(quantities(try gate([read("a"), read("b")], [read("a"), cut])) == [.failure])
    #expect(quantities(try gate([read("a")], [read("a", score: nil)])) == [.missing("ssimulacra2")])
    let unweighed = read("a", peak: nil)
    #expect(quantities(try gate([read("a")], [unweighed])) == [.missing("decode-memory")])
    // So small a peak may no longer be measurable for one read, but not for all of them.
    #expect(quantities(try gate([read("a", peak: 0.9), read("b")], [unweighed, read("b")])).isEmpty)
    #expect(quantities(try gate([read("a", peak: 0.9)], [unweighed])) == [.missing("decode-memory")])
    #expect(
      quantities(try gate([read("a")], [read("a")], required: ["total-bytes", "decode-time"]))
        == [.missing("total-bytes")])
    // If times cannot be compared, their threshold guards nothing.
    let times: Set = ["decode-time", "decode-memory"]
    #expect(
      quantities(try gate([read("a", origin: nil)], [read("a")], required: times))
        == [.missing("decode-time")])
    // What the baseline did not measure, it does not guard.
    #expect(quantities(try gate([read("a", status: .failed)], [read("a")])) == [.uncompared])
  }

  @Test func memoryAndScoresHaveThresholds() throws {
    #expect(quantities(try gate([read("a")], [read("a", peak: 24)])).isEmpty)
    #expect(quantities(try gate([read("a")], [read("a", peak: 24.2)])) == [.memory])
    // Less than a mebibyte is only a few pages.
    #expect(quantities(try gate([read("a", peak: 1)], [read("a", peak: 1.9)])).isEmpty)
    #expect(quantities(try gate([read("a")], [read("a", score: 89.4)])) == [.score("ssimulacra2")])
    #expect(
      try gate([read("a")], [read("a", score: 91)]).improvements.map(\.quantity) == [.score("ssimulacra2")])
    #expect(try gate([read("a")], [read("a", score: 91)]).isPureImprovement)
  }

  @Test func timesAreComparedOnOneMachineAlone() throws {
    let slower = try gate([read("a"), read("b")], [read("a", cpu: 13), read("b", cpu: 13)])
    #expect(quantities(slower) == [.time(.decode)] && slower.regressions.first?.before == 20)
    #expect(try gate([read("a", cpu: 13)], [read("a")]).improvements.map(\.quantity) == [.time(.decode)])
    // One image of two is slower by a third, but the sum counts.
    #expect(quantities(try gate([read("a"), read("b")], [read("a", cpu: 13), read("b")])).isEmpty)
    // Less than two milliseconds come from the scheduler.
    #expect(quantities(try gate([read("a", cpu: 3.7)], [read("a", cpu: 5.6)])).isEmpty)
    #expect(quantities(try gate([read("a", cpu: 3.7)], [read("a", cpu: 5.8)])) == [.time(.decode)])
    // A decode that serves two sizes is one finding.
    let before = [read("a"), read("a", wanted: "640")]
    let twice = try gate(before, [read("a", cpu: 13), read("a", cpu: 13, wanted: "640")])
    #expect(quantities(twice) == [.time(.decode)])
    let elsewhere = TimesOrigin(host: "other", processor: "b", jobs: 1)
    let other = try gate([read("a")], [read("a", cpu: 100, origin: elsewhere)])
    #expect(
      quantities(other).isEmpty && other.circumstances.timeObstacle == .origins
        && other.comparedPoints == 1)
    let unknown = try gate([read("a", origin: nil)], [read("a", cpu: 100, origin: nil)])
    #expect(quantities(unknown).isEmpty && unknown.circumstances.timeObstacle == .origins)
    // Noise as large as the change, or too few repeats, leave it undecided.
    let noisy = try gate([read("a", spread: 4)], [read("a", cpu: 13, spread: 4)])
    #expect(quantities(noisy).isEmpty && noisy.inconclusive.map(\.quantity) == [.time(.decode)])
    #expect(try gate([read("a", repeats: 2)], [read("a", cpu: 13, repeats: 2)]).inconclusive.count == 1)
  }

  /// A baseline file rounds, so a change that equals the threshold must not exceed it after rounding.
  @Test func roundingIsNoRegression() throws {
    #expect(quantities(try gate([read("a")], [read("a", peak: 24.0001)])).isEmpty)
    #expect(quantities(try gate([read("a")], [read("a", peak: 24.0004)])) == [.memory])
  }

  /// Reads and tiles have scores by other metrics than the headline's, which may fall on their own.
  @Test(arguments: [GateSubject.reads, .tiles, .generations])
  func everyMetricOfBothSidesIsCompared(subject: GateSubject) throws {
    for metric in MetricTraits.standard {
      func row(_ score: Double?) -> ResultRow {
        var row = ResultRow(image: "a", status: .measured)
        (row.variant, row.quality, row.scores[metric.id]) = (CodecVariant(codec: "heic"), 0.8, score)
        return row
      }
      let (before, after) = metric.higherIsBetter ? (0.9, 0.5) : (1, 99)
      let report = try GateBuilder.compare(subject, [row(before)], [row(after)])
      let expected = metric.rules?.tolerance == nil ? [] : [GateQuantity.score(metric.id)]
      #expect(report.held.contains(metric.id) && report.worstPoints.map(\.quantity) == expected)
      #expect(
        quantities(try GateBuilder.compare(subject, [row(before)], [row(nil)])) == [.missing(metric.id)])
      // The baseline does not guard what it lacks.
      #expect(quantities(try GateBuilder.compare(subject, [row(nil)], [row(after)])).isEmpty)
      #expect(BaselineColumns.scores(of: subject.kind).contains { $0.id == metric.id })
    }
  }

  @Test func otherLibrariesGetMoreRoom() throws {
    var (old, new) = (read("a"), read("a", score: 88))
    (old.libraries, new.libraries) = ("libheif 1", "libheif 2")
    let report = try gate([old], [new])
    #expect(report.regressions.isEmpty && report.usesWiderTolerance)
    new.libraries = "libheif 1"
    #expect(quantities(try gate([old], [new])) == [.score("ssimulacra2")])
  }
}
