package import Analysis
import Store

/// The gate's findings as a comment or a job's summary: the outcome, the changes between the runs, the worst first, and
/// a command that measures it again.
package struct GateSummary: Sendable {
  private let report: GateReport
  private var wording: GateWording { GateWording(report) }

  /// The most findings of a kind that are shown: comments are limited to 65,536 characters.
  private static let limit = 20

  package init(_ report: GateReport) { self.report = report }

  package var markdown: String {
    var document = MarkdownDocument()
    let outcome = report.fails ? "failed" : "passed"
    let subject = report.subject == .points ? "" : " for \(report.subject.rawValue)"
    document.heading(2, "heicbench gate\(subject) \(outcome)")
    document.paragraph("**\(MarkdownText.escaped(wording.headline))**")
    if report.fails, !report.isRegression {
      document.paragraph("This gate fails on improvements too, so that the baseline gets refreshed.")
    }
    report.addChanges(to: &document)
    // Points appear once, among the worst.
    addFindings(
      "Regressions", report.regressions.filter { !$0.quantity.isPoint }, columns: GateColumns.briefFindings,
      to: &document)
    report.addWorst(
      "Worst \(report.subject.noun)s", note: worstNote, GateColumns.briefFindings, to: &document)
    addFindings("Inconclusive, may be noise", report.inconclusive, to: &document)
    addFindings("Improvements", report.improvements, columns: GateColumns.improvements, to: &document)
    report.addVariants(to: &document)
    addReplacements(to: &document)
    document.list(wording.remarks.map(MarkdownText.escaped))
    if let command = wording.reproduce {
      document.paragraph("Measure the worst point again:")
      document.code(command, language: "sh")
    }
    addEnd(outcome, to: &document)
    return document.text
  }

  /// Adds the end, which is the part visible on a terminal: the outcome, its cause, and the command to accept it.
  private func addEnd(_ outcome: String, to document: inout MarkdownDocument) {
    guard report.fails else { return }
    document.heading(3, "What to do")
    document.paragraph("The gate \(outcome). \(MarkdownText.escaped(wording.headline))")
    if let cause = wording.cause { document.paragraph("Cause: \(MarkdownText.escaped(cause))") }
    if let resume = report.resume {
      document.paragraph("Measure the rest:")
      document.code(resume, language: "sh")
    }
    guard let accept = report.accept else { return }
    if report.inventory.newlyUnusable > 0 || report.newFailures > 0 {
      document.paragraph("Repair what fails first: a baseline guards nothing of it.")
    }
    document.paragraph("If this is how it shall be, make it the baseline:")
    document.code(accept, language: "sh")
  }

  private func addReplacements(to document: inout MarkdownDocument) {
    guard !report.replacements.isEmpty else { return }
    document.heading(3, "Other settings")
    document.paragraph(
      "What the baseline has of a codec, and what the run has in its place. It does not pass for it; this is what it "
        + "would cost.")
    document.table(
      GateColumns.variants(targets: GateColumns.targets(of: report.replacements)), report.replacements)
  }

  private func addFindings(
    _ title: String, _ findings: [GateFinding], columns: [Column<GateFinding>] = GateColumns.findings,
    to document: inout MarkdownDocument
  ) {
    guard !findings.isEmpty else { return }
    document.heading(3, title)
    document.table(columns, Array(findings.prefix(Self.limit)))
    let rest = findings.count - min(findings.count, Self.limit)
    if rest > 0 { document.paragraph("… and \(Numerals.grouped(rest)) more.") }
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
    var document = MarkdownDocument()
    let labels = runs.map { MarkdownText.code($0) }
    document.heading(2, "heicbench compare: \(labels.joined(separator: ", "))")
    for (label, difference) in zip(labels.dropFirst(), differences) {
      document.heading(3, "\(label) against \(labels[0])")
      difference.addChanges(to: &document)
      difference.addVariants(to: &document, against: labels[0])
      difference.addWorst("Points that lost most", GateColumns.differences, to: &document)
      document.list(GateWording(difference).remarks.map(MarkdownText.escaped))
    }
    return document.text
  }
}

extension GateReport {
  func addChanges(to document: inout MarkdownDocument) {
    let changes = GateWording(self).changes
    if changes.isEmpty {
      document.paragraph("No difference in versions, settings, machine or source files is known.")
    } else {
      document.paragraph("What differs between the two runs:")
      document.table(GateColumns.changes, changes)
    }
    if usesWiderTolerance {
      document.paragraph("Library versions differ, so the wider thresholds for that apply where they do.")
    }
  }

  func addVariants(to document: inout MarkdownDocument, against other: String = "the baseline") {
    guard !variants.isEmpty else { return }
    document.heading(3, "By codec")
    document.paragraph("Changes against \(other); at equal settings, and then at equal score.")
    document.table(GateColumns.variants(targets: GateColumns.targets(of: variants)), variants)
  }

  /// Adds the largest differences, with a note on those of single points.
  func addWorst(
    _ title: String, note: String? = nil, _ columns: [Column<GateFinding>],
    to document: inout MarkdownDocument
  ) {
    if !worstPoints.isEmpty {
      document.heading(3, title)
      if let note { document.paragraph(note) }
      document.table(columns, worstPoints)
    }
    if !worstImages.isEmpty {
      document.heading(3, "Images that grew most")
      document.table(columns, worstImages)
    }
  }
}
