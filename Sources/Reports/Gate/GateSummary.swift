public import Results

/// What the gate found, as the body of a comment or a job's summary: the outcome, what changed between the
/// runs, the worst first, and the command that shows it again.
public struct GateSummary: Sendable {
  private let report: GateReport
  private let failsOnImprovement: Bool

  /// Up to how many findings of a kind are shown: comments have a limit of 65,536 characters.
  private static let limit = 20

  /// A summary of a gate.
  public init(_ report: GateReport, failsOnImprovement: Bool = false) {
    self.report = report
    self.failsOnImprovement = failsOnImprovement
  }

  /// The text in GitHub Flavored Markdown.
  public var markdown: String {
    var document = MarkdownDocument()
    let outcome = report.fails(onImprovement: failsOnImprovement) ? "failed" : "passed"
    document.heading(2, "heicbench gate \(outcome)")
    document.paragraph("**\(MarkdownText.escaped(report.headline))**")
    report.addChanges(to: &document)
    addFindings(
      "Regressions", report.regressions, total: report.regressionCount, columns: GateColumns.briefFindings,
      to: &document)
    report.addWorst(to: &document)
    addFindings("Inconclusive, may be noise", report.inconclusive, to: &document)
    addFindings("Improvements", report.improvements, columns: GateColumns.briefFindings, to: &document)
    report.addVariants(to: &document)
    document.list(report.remarks.map(MarkdownText.escaped))
    addCommand(to: &document)
    return document.text
  }

  private func addFindings(
    _ title: String, _ findings: [GateFinding], total: Int? = nil,
    columns: [Column<GateFinding>] = GateColumns.findings, to document: inout MarkdownDocument
  ) {
    guard !findings.isEmpty else { return }
    document.heading(3, title)
    document.table(columns, Array(findings.prefix(Self.limit)))
    let rest = (total ?? findings.count) - min(findings.count, Self.limit)
    if rest > 0 { document.paragraph("… and \(Numerals.grouped(rest)) more.") }
  }

  private func addCommand(to document: inout MarkdownDocument) {
    guard let command = report.reproduce else { return }
    document.paragraph("Measure the worst point again:")
    document.code(command, language: "sh")
  }
}

/// Two or more runs side by side, without a verdict.
public struct ComparisonSummary: Sendable {
  private let comparison: RunComparison

  /// A summary of a comparison.
  public init(_ comparison: RunComparison) { self.comparison = comparison }

  /// The text in GitHub Flavored Markdown.
  public var markdown: String {
    var document = MarkdownDocument()
    let labels = comparison.runs.map { MarkdownText.code($0.label) }
    document.heading(2, "heicbench compare: \(labels.joined(separator: ", "))")
    for (label, difference) in zip(labels.dropFirst(), comparison.differences) {
      document.heading(3, "\(label) against \(labels.first ?? "")")
      difference.addChanges(to: &document)
      difference.addVariants(to: &document)
      difference.addWorst(to: &document)
      document.list(difference.remarks.map(MarkdownText.escaped))
    }
    return document.text
  }
}

/// The sections that a gate and a comparison share.
extension GateReport {
  /// Regressions in number, also those that are not named.
  var regressionCount: Int {
    let points = regressions.count { finding in
      switch finding.quantity {
      case .pointBytes, .score: true
      default: false
      }
    }
    return regressions.count - points + max(worsePoints, points)
  }

  func addChanges(to document: inout MarkdownDocument) {
    if changes.isEmpty {
      document.paragraph("Nothing is known to differ between the two runs but their figures.")
    } else {
      document.paragraph("What differs between the two runs:")
      document.table(GateColumns.changes, changes)
    }
    if usesWiderTolerance {
      document.paragraph("Library versions differ, so the wider thresholds for that apply where they do.")
    }
  }

  func addVariants(to document: inout MarkdownDocument) {
    guard !variants.isEmpty else { return }
    document.heading(3, "By codec")
    document.paragraph("Changes against the baseline; at equal settings, and then at equal score.")
    document.table(GateColumns.variants(targets: GateColumns.targets(of: variants)), variants)
  }

  func addWorst(to document: inout MarkdownDocument) {
    if !worstPoints.isEmpty {
      document.heading(3, "Worst points")
      document.table(GateColumns.briefFindings, worstPoints)
    }
    if !worstImages.isEmpty {
      document.heading(3, "Images that grew most")
      document.table(GateColumns.briefFindings, worstImages)
    }
  }
}
