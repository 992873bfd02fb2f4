import Analysis
import Foundation
import Reports
import Store

/// What a comparison with a baseline found: of a sweep, of reads and of tiles, each as far as the baseline has it.
public struct CheckOutcome: Sendable {
  /// Of a sweep; nil where the baseline has none.
  public let sweep: GateOutcome?
  /// Of reads and of tiles.
  let costs: [CostGateSummary]
  /// What else there is to say, a sentence each.
  public let notices: [String]

  /// Whether the gate has failed anywhere.
  public var hasFailed: Bool { sweep?.hasFailed == true || costs.contains(where: \.hasFailed) }

  /// The reports as Markdown.
  public var markdown: String {
    ([sweep?.markdown] + costs.map(\.markdown)).compactMap(\.self).joined(separator: "\n")
  }

  /// The reports as one JSON document.
  public var json: String {
    if let sweep { return sweep.json(with: costs) }
    return CostGateSummary.json(costs)
  }

  /// The findings as annotations of a GitHub job, a line each.
  public var annotations: String {
    ([sweep?.annotations] + costs.map(GitHubAnnotations.text)).compactMap(\.self).joined()
  }

  /// JUnit XML with a suite for each.
  var junit: String { JUnitReport.xml(sweep?.report, costs: costs) }
}

extension GateRequest {
  /// Compares a results folder or a file with the baseline: the sweep, what was read and what was cut into tiles, as
  /// far as the baseline has them. A baseline of reads or tiles is a file of “heicbench baseline”, any `decodes.csv`
  /// and `tiles.csv`, or a results folder.
  /// - Throws: `HeicBenchError` where one of the two cannot be read, or a threshold does not exist.
  public func check(on results: String = "results") throws -> CheckOutcome {
    try HeicBenchError.mapping {
      let subjects = CostSubject.allCases.filter { CostBaseline.isOne(baseline, of: $0) }
      let isAlone = !subjects.isEmpty && !CostBaseline.hasSweep(baseline)
      var own = self
      (own.junit, own.summary) = (nil, nil)
      let sweep = isAlone ? nil : try own.run(on: results)
      let costs = try subjects.map { try compare($0, with: results, isAlone: isAlone && subjects.count == 1) }
      let outcome = CheckOutcome(
        sweep: sweep, costs: costs.map(\.summary), notices: (sweep?.notices ?? []) + costs.flatMap(\.notices))
      try write(markdown: outcome.markdown, junit: outcome.junit)
      return outcome
    }
  }

  private func compare(
    _ subject: CostSubject, with results: String, isAlone: Bool
  ) throws -> (summary: CostGateSummary, notices: [String]) {
    let settings = try settings()
    let tolerances = try settings.tolerances(
      flags: thresholds, metrics: Array(settings.thresholds.keys) + Array(settings.otherVersions.keys))
    let before = try CostBaseline.rows(at: baseline, of: subject)
    let what = subject == .reads ? "read" : "picture in tiles"
    guard before.contains(where: { $0.status == "measured" }) else {
      throw HeicBenchError(
        .resultsUnusable,
        "the baseline “\(baseline)” has no \(what) that was measured, so nothing can be compared with it; write one "
          + "with “heicbench baseline --\(subject.rawValue)”")
    }
    let required = isAlone ? Set(thresholds.keys) : []
    let gate = CostGate(subject, tolerances, required: required)
    var report = gate.compare(before, try CostBaseline.rows(at: results, of: subject))
    let isFile = baseline.hasSuffix(".csv")
    if isFile {
      report.accept =
        "heicbench baseline \(ShellWord.quoted(results)) --\(subject.rawValue) --output \(ShellWord.quoted(baseline))"
    }
    var notices: [String] = []
    if replacesBaseline, report.isPureImprovement {
      if isFile {
        try CostBaseline(results: results, of: subject).write(to: baseline)
        notices.append("things only got better: “\(baseline)” was replaced")
      } else {
        notices.append("--ratchet replaces files alone; “\(baseline)” stays as it is")
      }
    }
    let failsOnImprovement = settings.failOn == .improvement
    return (CostGateSummary(report, failsOnImprovement: failsOnImprovement), notices)
  }
}
