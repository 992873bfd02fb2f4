import Foundation
import Model

/// What is measured beside a sweep and has a gate of its own.
package enum CostSubject: String, Sendable, Hashable, CaseIterable {
  /// What it costs to get pixels out of files.
  case reads
  /// What it costs to cut pictures into tiles.
  case tiles
}

/// Something about reads or tiles that differs from the baseline by more than a threshold, or could not be compared.
package struct CostFinding: Sendable, Hashable {
  /// What it is about.
  package enum Quantity: String, Sendable, Hashable {
    /// Bytes of the file that a route looks at, or of all levels, percent.
    case bytes
    /// SSIMULACRA 2 of what comes out, points.
    case score
    /// Memory of a decode, percent.
    case memory
    /// CPU time over all pictures, percent.
    case time
    /// What could be measured before, and now cannot.
    case failure
    /// What is not measured any more.
    case vanished
    /// The picture is another one under the same name.
    case changed
    /// A threshold that nothing can be held against.
    case unguarded
    /// Baseline and results have nothing in common.
    case uncompared
  }

  /// What it is about.
  package var quantity: Quantity
  /// Where: a picture, a route, or a threshold.
  package var place: String
  /// The values on both sides.
  package var before, after: Double?
  /// By how much it is worse, in the quantity's unit; how many where it is counted.
  package var worsening: Double
  /// What it was held against.
  package var threshold: Double
  /// The reason of a failure.
  package var detail: String?
}

/// What a comparison of reads or tiles with a baseline found.
package struct CostGateReport: Sendable, Hashable {
  /// What was compared.
  package var subject: CostSubject
  /// What both sides measured.
  package var compared = 0
  /// Beyond a threshold, worst first.
  package var regressions: [CostFinding] = []
  /// Beyond a threshold, but may be noise.
  package var inconclusive: [CostFinding] = []
  /// Better by more than the threshold.
  package var improvements: [CostFinding] = []
  /// What of the baseline is not there any more, tolerated or not.
  package var vanished = 0
  /// What the baseline does not have.
  package var added = 0
  /// Groups of reads whose times were compared, and such that could not be.
  package var timedGroups = 0, untimedGroups = 0
  /// The keys of thresholds that something was held against.
  package var held: Set<String> = []
  /// Whether library versions differ somewhere, so that the wider thresholds applied there.
  package var usesWiderTolerance = false
  /// The command that makes these results the baseline; nil where that is no file.
  package var accept: String?

  /// A report on nothing yet.
  package init(_ subject: CostSubject) { self.subject = subject }

  /// Adds a finding for each of these thresholds, which nothing was held against.
  package mutating func add(unguarded keys: some Sequence<String>) {
    regressions += keys.sorted().map {
      CostFinding(quantity: .unguarded, place: $0, worsening: 1, threshold: 0)
    }
  }

  /// Whether the gate fails; `onImprovement` is for those who want their baseline refreshed.
  package func fails(onImprovement: Bool) -> Bool {
    !regressions.isEmpty || (onImprovement && !improvements.isEmpty)
  }

  /// Whether things only got better and nothing is missing, so that a ratchet may replace the baseline.
  package var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty && vanished == 0
  }
}

/// Compares reads or tiles with a baseline of them. Nothing passes that could not be looked at.
package struct CostGate {
  private let tolerances: GateTolerances
  private var report: CostGateReport

  /// Growth of memory below this is a page here and there, MiB.
  private static let smallestGrowth = 1.0
  /// A difference of summed times below this is the scheduler's, ms.
  private static let smallestTime = 2.0
  /// Whether memory was known of what was compared: in the baseline, and in the run.
  private var isWeighed = (before: false, after: false)

  /// The sum of a group's times, with the interval that their repeats span.
  private struct Sum {
    var lower = 0.0, median = 0.0, upper = 0.0
    var repeats = Int.max

    mutating func add(_ times: GatedCost.Times) {
      lower += times.minimum
      median += times.median
      // Two normal standard deviations, estimated from the MAD (Hampel, 1974).
      upper += times.median + 2 * 1.4826 * times.deviation
      repeats = min(repeats, times.repeats)
    }
  }

  /// Prepares to compare.
  package init(_ subject: CostSubject, _ tolerances: GateTolerances) {
    self.tolerances = tolerances
    report = CostGateReport(subject)
  }

  /// Compares everything.
  package consuming func compare(_ before: [GatedCost], _ after: [GatedCost]) -> CostGateReport {
    let run = Dictionary(after.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    let baseline = Dictionary(before.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    var lost: [GatedCost] = []
    var failed: [(GatedCost, GatedCost)] = []
    var changed: [String: Int] = [:]
    var sums: [String: (before: Sum, after: Sum, isTimed: Bool)] = [:]
    for old in before where baseline[old.name] == old && old.status == "measured" {
      guard let new = run[old.name] else {
        lost.append(old)
        continue
      }
      // A file that is cut short is no other picture.
      if new.status == "failed" {
        failed.append((old, new))
        continue
      }
      if let hash = old.hash, let other = new.hash, hash != other {
        changed[old.name.image, default: 0] += 1
        continue
      }
      guard new.status == "measured" else {
        failed.append((old, new))
        continue
      }
      report.compared += 1
      compare(old, new)
      guard let times = old.times else { continue }
      let isTimed = new.times != nil && old.origin != nil && old.origin == new.origin
      var sum = sums[old.name.title] ?? (Sum(), Sum(), true)
      sum.before.add(times)
      if let other = new.times { sum.after.add(other) }
      sum.isTimed = sum.isTimed && isTimed
      sums[old.name.title] = sum
    }
    report.added = after.count { $0.status == "measured" && baseline[$0.name] == nil }
    addTimes(sums)
    addAbsences(lost, failed, changed)
    report.regressions.sort {
      ($0.worsening / max($0.threshold, 1e-9)) > ($1.worsening / max($1.threshold, 1e-9))
    }
    return report
  }

  private mutating func compare(_ old: GatedCost, _ new: GatedCost) {
    let isOther = old.libraries != nil && new.libraries != nil && old.libraries != new.libraries
    report.usesWiderTolerance = report.usesWiderTolerance || isOther
    let thresholds = tolerances.thresholds(differentVersions: isOther)
    let place = "\(old.name.image): \(old.name.title)"
    report.held.formUnion(["failures", "vanished", "changed", "point-bytes"])
    if old.score != nil { report.held.insert("ssimulacra2") }
    sortRatio(
      .bytes, place, old.bytes.map(Double.init), new.bytes.map(Double.init),
      thresholds.pointBytesPercent)
    if let threshold = thresholds.scores["ssimulacra2"], let before = old.score, before.isFinite {
      // A score that is not there any more has not been kept.
      let after = new.score ?? -.infinity
      sort(
        CostFinding(
          quantity: .score, place: place, before: before, after: new.score, worsening: before - after,
          threshold: threshold))
    }
    isWeighed.after = isWeighed.after || new.peakMiB != nil
    guard let before = old.peakMiB else { return }
    isWeighed.before = true
    report.held.insert(GateThresholds.decodeMemoryKey)
    guard let after = new.peakMiB else {
      // A small read may find room in the heap and grow by no page.
      guard before >= Self.smallestGrowth else { return }
      report.regressions.append(
        CostFinding(
          quantity: .memory, place: place, before: before, worsening: .infinity,
          threshold: thresholds.decodeMemoryPercent, detail: "it was not measured"))
      return
    }
    if abs(after - before) >= Self.smallestGrowth {
      sortRatio(.memory, place, before, after, thresholds.decodeMemoryPercent)
    }
  }

  private mutating func sortRatio(
    _ quantity: CostFinding.Quantity, _ place: String, _ before: Double?, _ after: Double?,
    _ threshold: Double
  ) {
    guard let before, let after else { return }
    let worsening = before > 0 ? (after / before - 1) * 100 : after > 0 ? .infinity : 0
    sort(
      CostFinding(
        quantity: quantity, place: place, before: before, after: after, worsening: worsening,
        threshold: threshold))
  }

  private mutating func sort(_ finding: CostFinding) {
    // Rounding in a baseline file may come to as much.
    let slack = 1e-3
    if finding.worsening > finding.threshold + slack { report.regressions.append(finding) }
    if finding.worsening < -finding.threshold - slack { report.improvements.append(finding) }
  }

  private mutating func addTimes(_ sums: [String: (before: Sum, after: Sum, isTimed: Bool)]) {
    let threshold = tolerances.thresholds(differentVersions: report.usesWiderTolerance)[time: .decode]
    var seen: Set<[Double]> = []
    for (name, sum) in sums.sorted(by: { $0.key < $1.key }) {
      // Several sizes that one decode serves have its times, to the last digit.
      guard seen.insert([sum.before.median, sum.before.lower, sum.after.median, sum.after.lower]).inserted
      else { continue }
      guard sum.isTimed, sum.before.median > 0 else {
        report.untimedGroups += 1
        continue
      }
      report.timedGroups += 1
      report.held.insert(GateThresholds.key(.decode))
      let finding = CostFinding(
        quantity: .time, place: name, before: sum.before.median, after: sum.after.median,
        worsening: (sum.after.median / sum.before.median - 1) * 100, threshold: threshold)
      guard abs(finding.worsening) > threshold,
        abs(sum.after.median - sum.before.median) >= Self.smallestTime
      else { continue }
      let isApart = sum.after.lower > sum.before.upper || sum.after.upper < sum.before.lower
      let isKnown = isApart && min(sum.before.repeats, sum.after.repeats) >= TimeComparison.minimumRepeats
      if isKnown { sort(finding) } else { report.inconclusive.append(finding) }
    }
  }

  private mutating func addAbsences(
    _ lost: [GatedCost], _ failed: [(GatedCost, GatedCost)], _ changed: [String: Int]
  ) {
    let thresholds = tolerances.thresholds(differentVersions: report.usesWiderTolerance)
    report.vanished = lost.count
    if Double(lost.count) > thresholds.vanishedPoints {
      let first = lost.first.map { "\($0.name.image): \($0.name.title)" } ?? ""
      report.regressions.append(
        CostFinding(
          quantity: .vanished, place: lost.count > 1 ? "\(first) and \(lost.count - 1) more" : first,
          worsening: Double(lost.count), threshold: thresholds.vanishedPoints))
    }
    if Double(failed.count) > thresholds.newFailures {
      report.regressions += failed.map { old, new in
        CostFinding(
          quantity: .failure, place: "\(old.name.image): \(old.name.title)", worsening: 1,
          threshold: thresholds.newFailures, detail: new.reason ?? new.status)
      }
    }
    if Double(changed.count) > thresholds.changedImages {
      report.regressions.append(
        CostFinding(
          quantity: .changed, place: changed.keys.sorted().prefix(5).joined(separator: ", "),
          worsening: Double(changed.count), threshold: thresholds.changedImages))
    }
    // The least reads may grow by no page where the mark of the peak cannot be reset; all of them do not.
    if isWeighed.before, !isWeighed.after, !report.regressions.contains(where: { $0.quantity == .memory }) {
      report.regressions.append(
        CostFinding(
          quantity: .memory, place: "", worsening: .infinity, threshold: thresholds.decodeMemoryPercent,
          detail: "it was measured nowhere"))
    }
    if report.compared == 0 {
      report.regressions.append(CostFinding(quantity: .uncompared, place: "", worsening: 1, threshold: 0))
    }
  }
}
