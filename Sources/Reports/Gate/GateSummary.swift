package import Analysis
import Model
import Store

/// The gate's findings as a comment or a job's summary: the outcome, the changes between the runs (worst first), and a
/// command that measures the worst again.
package struct GateSummary: Sendable {
  private let report: GateReport
  private var wording: GateWording { GateWording(report) }

  /// The maximum number of findings of a kind to show: comments are limited to 65,536 characters.
  private static let limit = 20

  package init(_ report: GateReport) { self.report = report }

  package var markdown: String {
    var document = MarkdownDocument()
    document.heading(2, title)
    document.add(blocks, level: 3)
    return document.text
  }

  package func text(width: Int = .max) -> String { ([.heading(title)] + blocks).text(width: width) }

  private var outcome: String { report.fails ? "failed" : "passed" }

  private var title: String {
    "heicbench gate\(report.subject == .points ? "" : " for \(report.subject.rawValue)") \(outcome)"
  }

  private var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = [.answer(wording.headline)]
    if report.fails, !report.isRegression {
      blocks.append(
        .paragraph("This gate also fails on improvements, so that the baseline is updated."))
    }
    blocks += report.changes
    // Points appear once, among the worst.
    blocks += findings(
      "Regressions", report.regressions.filter { !$0.quantity.isPoint }, columns: GateColumns.briefFindings)
    blocks += report.worst("Worst \(report.subject.noun)s", note: worstNote, GateColumns.briefFindings)
    blocks += findings("Inconclusive, may be noise", report.inconclusive)
    blocks += findings("Improvements", report.improvements, columns: GateColumns.improvements)
    blocks += report.byCodec() + replacements
    blocks.append(.list(wording.remarks))
    if let command = wording.reproduce {
      blocks += [.paragraph("Measure the worst encode again:"), .command(command)]
    }
    return blocks + end
  }

  /// The last part, which stays visible on a terminal: the outcome, its cause, and the command to accept the change.
  private var end: [ReportBlock] {
    guard report.fails else { return [] }
    var blocks: [ReportBlock] = [
      .heading("What to do"), .paragraph("The gate \(outcome). \(wording.headline)"),
    ]
    if let cause = wording.cause { blocks.append(.paragraph("Cause: \(cause)")) }
    if let resume = report.resume { blocks += [.paragraph("Measure the rest:"), .command(resume)] }
    guard let accept = report.accept else { return blocks }
    if report.inventory.newlyUnusable > 0 || report.newFailures > 0 {
      blocks.append(.paragraph("Fix the failures first: a baseline does not cover images that fail."))
    }
    return blocks + [
      .paragraph("If this change is intended, update the baseline:"), .command(accept),
    ]
  }

  private var replacements: [ReportBlock] {
    guard !report.replacements.isEmpty else { return [] }
    let targets = GateColumns.targets(of: report.replacements)
    return [
      .heading("Other settings"),
      .paragraph(
        "The run has other settings of the same codec. The gate does not compare them point by point; this shows the "
          + "difference."),
      .table(ReportTable("Other settings", GateColumns.variants(targets: targets), report.replacements)),
    ]
  }

  private func findings(
    _ title: String, _ findings: [GateFinding], columns: [Column<GateFinding>] = GateColumns.findings
  ) -> [ReportBlock] {
    guard !findings.isEmpty else { return [] }
    let rest = findings.count - min(findings.count, Self.limit)
    return [
      .heading(title), .table(ReportTable(title, columns, Array(findings.prefix(Self.limit)))),
    ] + (rest > 0 ? [.paragraph("… and \(Numerals.grouped(rest)) more.")] : [])
  }

  private var worstNote: String {
    guard report.worsePoints > 0 else { return "All \(report.subject.noun)s are within their thresholds." }
    let noun = report.subject.noun
    let figures =
      report.worsePoints == 1 ? "figure of a single \(noun) is" : "figures of single \(noun)s are"
    return "\(Numerals.grouped(report.worsePoints)) \(figures) beyond the threshold."
  }
}

package struct ComparisonSummary: Sendable {
  let runs: [String]
  let differences: [GateReport]

  package init(_ runs: [String], _ differences: [GateReport]) {
    (self.runs, self.differences) = (runs, differences)
  }

  package var markdown: String {
    let labels = runs.map { MarkdownText.code($0) }
    var document = MarkdownDocument()
    document.heading(2, "Runs side by side: \(labels.joined(separator: ", "))")
    document.add([.answer(answer)], level: 3)
    for (label, difference) in zip(labels.dropFirst(), differences) {
      document.heading(3, "\(label) against \(labels[0])")
      document.add(blocks(difference, against: runs[0]), level: 3)
    }
    return document.text
  }

  package func text(width: Int = .max) -> String {
    let parts = zip(runs.dropFirst(), differences).flatMap { label, difference in
      [.heading("\(label) against \(runs[0])")] + blocks(difference, against: runs[0])
    }
    return ([.answer(answer)] + parts).text(width: width)
  }

  private func blocks(_ difference: GateReport, against other: String) -> [ReportBlock] {
    difference.changes + difference.byCodec(against: other)
      + difference.worst("Largest losses", GateColumns.differences)
      + [.list(GateWording(difference).remarks)]
  }

  /// `b makes the same files as a at all 400 points; decodes in 0.85 times the time. c: HEIC takes 1.2 % more bytes at
  /// equal score (SSIMULACRA2 70).`, for each run against the first.
  var answer: String {
    zip(runs.dropFirst(), differences).map { run, difference in
      guard difference.comparedPoints > 0 else { return "\(run) and \(runs[0]) have no encode in common." }
      if difference.isSame {
        return
          "\(run) made the same files as \(runs[0]) in all \(Numerals.counted(difference.comparedPoints, "encode"))"
          + " (equal bytes and scores)\(Self.times(difference.variants))."
      }
      let parts = difference.variants.map(Self.phrase)
      return "\(run) against \(runs[0]): \(parts.joined(separator: "; ")); "
        + "\(Numerals.counted(difference.comparedPoints, "encode")) compared."
    }.joined(separator: " ")
  }

  /// The smallest reported change of a time, in percent: smaller ones vary from run to run.
  private static let leastChange = 2.0

  private static func times(_ variants: [VariantComparison]) -> String {
    let parts = variants.compactMap { variant -> String? in
      let changes = TimedOperation.allCases.compactMap { operation in
        variant.times[operation].flatMap { abs($0.percent) < leastChange ? nil : $0 }.map {
          "\(Numerals.ratio(1 + $0.percent / 100)) times the time to \(operation)"
        }
      }
      return changes.isEmpty ? nil : "\(variant.variant.title) needs \(changes.joined(separator: " and "))"
    }
    return parts.isEmpty ? "" : "; \(parts.joined(separator: ", "))"
  }

  /// `HEIC takes 1.2 % more bytes at equal score 70`, or at equal quality numbers if the runs share no score.
  private static func phrase(_ variant: VariantComparison) -> String {
    let nearest = variant.targets.min {
      abs($0.target - AnalysisOptions.standard.verdictTarget)
        < abs($1.target - AnalysisOptions.standard.verdictTarget)
    }
    if let nearest {
      let interval =
        nearest.percent.interval.map { "95 % interval \($0.ends(decimals: 1)) %" }
        ?? "too few images for an interval"
      return "\(variant.variant.title) needs \(Wording.amount(nearest.percent.mean)) at equal score "
        + "\(Numerals.short(nearest.target)) (\(interval))"
    }
    return
      "\(variant.variant.title) needs \(Wording.amount(variant.bytesChangePercent)) in total at equal quality numbers"
  }
}

extension GateReport {
  /// True if compared runs have equal bytes and scores at all points in common.
  fileprivate var isSame: Bool {
    worstPoints.isEmpty && worstImages.isEmpty
      && variants.allSatisfy { $0.bytesBefore == $0.bytesAfter && $0.scoreBefore == $0.scoreAfter }
  }

  fileprivate var changes: [ReportBlock] {
    let changes = GateWording(self).changes
    let found: [ReportBlock] =
      changes.isEmpty
      ? [.paragraph("heicbench found no difference in versions, settings, machine or sources.")]
      : [
        .paragraph("Differences between the two runs:"),
        .table(ReportTable("What differs", GateColumns.changes, changes)),
      ]
    return usesWiderTolerance
      ? found + [.paragraph("Where library versions differ, wider thresholds apply.")]
      : found
  }

  fileprivate func byCodec(against other: String = "the baseline") -> [ReportBlock] {
    guard !variants.isEmpty else { return [] }
    return [
      .heading("By codec"),
      .paragraph("Change from \(other), at equal settings and then at equal score."),
      .table(
        ReportTable("By codec", GateColumns.variants(targets: GateColumns.targets(of: variants)), variants)),
    ]
  }

  /// The largest differences, with a note on differences of single points.
  fileprivate func worst(
    _ title: String, note: String? = nil, _ columns: [Column<GateFinding>]
  ) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    if !worstPoints.isEmpty {
      blocks +=
        [.heading(title)] + (note.map { [.paragraph($0)] } ?? [])
        + [.table(ReportTable(title, columns, worstPoints))]
    }
    if !worstImages.isEmpty {
      blocks += [
        .heading("Largest growth by image"),
        .table(ReportTable("Largest growth by image", columns, worstImages)),
      ]
    }
    return blocks
  }
}
