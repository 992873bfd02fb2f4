import Analysis
import Reports
import Store
import Sweep

/// The answer on a terminal: the verdict, what to beware of, and a line for each codec and quality.
enum ConsoleReport {
  static func text(_ analysis: Analysis, _ digest: RunDigest) -> String {
    var text = analysis.verdicts.map { verdict in
      ([verdict.sentence] + verdict.details.map { "  \($0)" }).map { $0 + "\n" }.joined()
    }.joined()
    if let sentence = analysis.fileSentence { text += sentence + "\n" }
    text += fileTable(analysis)
    text += analysis.warnings.map { "note: \($0)\n" }.joined()
    if !text.isEmpty { text += "\n" }
    if let findings = analysis.target {
      let columns = TargetColumns.all(analysis, allMetrics: false)
      return "\(text)\(TargetColumns.title(of: findings)):\n\n"
        + TextTableWriter(columns).table(TargetColumns.Row.rows(of: analysis))
    }
    let columns = QualitySummaryColumns.all(
      metrics: analysis.metrics, reference: analysis.reference,
      hasExclusiveTimes: digest.hasExclusiveTimes)
    return text + TextTableWriter(columns).table(analysis.qualitySummaries)
  }

  /// What the lossy source files take, against each codec; empty without such files.
  private static func fileTable(_ analysis: Analysis) -> String {
    guard !analysis.fileComparisons.isEmpty else { return "" }
    return "\n"
      + TextTableWriter(FileColumns.all(headline: analysis.headline)).table(analysis.fileComparisons) + "\n"
  }

  /// A line for each codec and quality, without what takes a pass over all rows: verdicts, and wall times.
  static func totals(_ summaries: [QualitySummary], _ source: RowSource) throws -> String {
    let unfinished = try source.progress()?.phrase.map { "note: \($0)\n\n" } ?? ""

    let columns = QualitySummaryColumns.all(
      metrics: source.metrics, reference: source.variants.first, hasExclusiveTimes: { _ in false })
    return unfinished + TextTableWriter(columns).table(summaries)
  }

  /// `480 points measured in 1:23, 2 failed; see results/summary.md`.
  static func closing(_ summary: SweepSummary, folder: String) -> String {
    let seconds = Double(summary.wallNanoseconds) / 1e9
    var parts = [
      "\(Numerals.counted(summary.measured, "point")) measured in \(ProgressLine.duration(seconds))"
    ]
    if summary.skipped > 0 { parts.append("\(summary.skipped) were there already") }
    if summary.unsupported > 0 { parts.append("\(summary.unsupported) unsupported") }
    if summary.failed > 0 { parts.append("\(summary.failed) failed") }
    if summary.failedScores > 0 {
      parts.append("\(Numerals.counted(summary.failedScores, "score")) failed (see heicbench failures)")
    }
    if summary.imageProblems > 0 {
      parts.append("\(Numerals.counted(summary.imageProblems, "image")) unusable")
    }
    let saved = "results are in \(folder): report.html, summary.md, measurements.csv"
    return summary.wasCancelled
      ? "interrupted: \(parts.joined(separator: ", ")); run the same command again for the rest; \(saved)"
      : "\(parts.joined(separator: ", ")); \(saved)"
  }
}
