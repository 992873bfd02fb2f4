import Foundation
import Model

/// Measurements beside a sweep with their own gate.
package enum CostSubject: String, Sendable, Hashable, CaseIterable {
  /// Cost of getting pixels out of files.
  case reads
  /// Cost of cutting pictures into tiles.
  case tiles
}

/// A difference of reads or tiles from the baseline beyond a threshold, or a failed comparison.
package struct CostFinding: Sendable, Hashable {
  package enum Quantity: String, Sendable, Hashable {
    /// Bytes read by a route, or of all levels, percent.
    case bytes
    /// SSIMULACRA 2 of the result, points.
    case score
    /// Memory of a decode, percent.
    case memory
    /// CPU time over all pictures, percent.
    case time
    /// Measured in the baseline, and no longer possible.
    case failure
    /// No longer measured.
    case vanished
    /// Another picture under the same name.
    case changed
    /// A threshold without any figure.
    case unguarded
    /// Baseline and results have nothing in common.
    case uncompared
  }

  package var quantity: Quantity
  /// A picture, a route, or a threshold.
  package var place: String
  package var before, after: Double?
  /// Loss in the quantity's unit; a number for counted quantities.
  package var worsening: Double
  package var threshold: Double
  package var detail: String?
}

/// Findings of a comparison of reads or tiles with a baseline.
package struct CostGateReport: Sendable, Hashable {
  package var subject: CostSubject
  /// Number of entries measured on both sides.
  package var compared = 0
  /// Beyond a threshold, worst first.
  package var regressions: [CostFinding] = []
  /// Beyond a threshold, but possibly noise.
  package var inconclusive: [CostFinding] = []
  /// Better by more than the threshold.
  package var improvements: [CostFinding] = []
  /// Baseline entries missing from the results, tolerated or not.
  package var vanished = 0
  /// Entries missing from the baseline.
  package var added = 0
  /// Groups with compared times, and those without comparable ones.
  package var timedGroups = 0, untimedGroups = 0
  /// Keys of thresholds with figures.
  package var held: Set<String> = []
  /// True if library versions differ somewhere, which called for the wider thresholds.
  package var usesWiderTolerance = false
  /// Command that makes these results the baseline; nil if the baseline is not a file.
  package var accept: String?

  package init(_ subject: CostSubject) { self.subject = subject }

  /// Adds a finding for each of these thresholds without figures.
  package mutating func add(unguarded keys: some Sequence<String>) {
    regressions += keys.sorted().map {
      CostFinding(quantity: .unguarded, place: $0, worsening: 1, threshold: 0)
    }
  }

  /// Returns true if the gate fails; `onImprovement` also fails for a baseline that should be refreshed.
  package func fails(onImprovement: Bool) -> Bool {
    !regressions.isEmpty || (onImprovement && !improvements.isEmpty)
  }

  /// True if there are only improvements and nothing is missing, so that a ratchet may replace the baseline.
  package var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty && vanished == 0
  }
}

/// Comparison of reads or tiles with a baseline. Nothing unchecked passes.
package struct CostGate {
  private let tolerances: GateTolerances
  private var report: CostGateReport

  /// MiB; smaller growth is a stray page.
  private static let smallestGrowth = 1.0
  /// Milliseconds; smaller differences of summed times are the scheduler's.
  private static let smallestTime = 2.0
  /// True per side if any memory was measured.
  private var isWeighed = (before: false, after: false)

  /// Sum of a group's times, with the interval of their repeats.
  private struct Sum {
    var lower = 0.0, median = 0.0, upper = 0.0
    var repeats = Int.max

    mutating func add(_ times: GatedCost.Times) {
      lower += times.minimum
      median += times.median
      upper += times.median + 2 * 1.4826 * times.deviation
      repeats = min(repeats, times.repeats)
    }
  }

  package init(_ subject: CostSubject, _ tolerances: GateTolerances) {
    self.tolerances = tolerances
    report = CostGateReport(subject)
  }

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
      // A truncated file is a failure, not another picture.
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
      // A score that is missing now counts as lost.
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
    // Allowance for rounding in a baseline file.
    let slack = 1e-3
    if finding.worsening > finding.threshold + slack { report.regressions.append(finding) }
    if finding.worsening < -finding.threshold - slack { report.improvements.append(finding) }
  }

  private mutating func addTimes(_ sums: [String: (before: Sum, after: Sum, isTimed: Bool)]) {
    let threshold = tolerances.thresholds(differentVersions: report.usesWiderTolerance)[time: .decode]
    var seen: Set<[Double]> = []
    for (name, sum) in sums.sorted(by: { $0.key < $1.key }) {
      // Sizes served by one decode share its times to the last digit.
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
    // The smallest reads may grow by no page if the peak cannot be reset, but not all of them.
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
