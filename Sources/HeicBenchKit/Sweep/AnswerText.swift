import Analysis
package import Reports
package import Store

/// The answer on a terminal: the verdict, what to beware of, and a line for each codec and quality.
package enum AnswerText {
  /// The answer of a run.
  package static func text(_ report: RunReport) -> String {
    let (analysis, digest) = (report.analysis, report.digest)
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
  package static func totals(_ summaries: [QualitySummary], _ source: RowSource) throws -> String {
    let unfinished = try source.progress()?.phrase.map { "note: \($0)\n\n" } ?? ""

    let columns = QualitySummaryColumns.all(
      metrics: source.metrics, reference: source.variants.first, hasExclusiveTimes: { _ in false })
    return unfinished + TextTableWriter(columns).table(summaries)
  }
}
