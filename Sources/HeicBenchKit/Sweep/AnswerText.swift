import Analysis
package import Reports
package import Store

/// The answer on a terminal: the verdict, caveats, sizes at equal quality, and the quality to set. Has a line for each
/// codec and quality number only if nothing can be said at equal quality.
package enum AnswerText {
  package static func text(_ report: RunReport) -> String {
    let (analysis, digest) = (report.analysis, report.digest)
    let wording = Wording(analysis)
    var text = wording.answers.map { answer in
      ([answer.sentence] + answer.details.map { "  \($0)" }).map { $0 + "\n" }.joined()
    }.joined()
    text += ImportWording(analysis).sentences.map { $0 + "\n" }.joined()
    if let sentence = wording.files { text += sentence + "\n" }
    text += fileTable(analysis)
    if let sentence = wording.sample { text += sentence + "\n" }
    text += wording.warnings.map { "note: \($0)\n" }.joined()
    if !text.isEmpty { text += "\n" }
    if let findings = analysis.target {
      let columns = TargetColumns.all(analysis, allMetrics: false)
      return "\(text)\(TargetColumns.title(of: findings)):\n\n"
        + TextTableWriter(columns).table(findings.totals)
    }
    if analysis.matchedQualities.contains(where: { $0.bytes != nil }) { return text + answer(analysis) }
    let columns = QualitySummaryColumns.all(
      metrics: analysis.metrics, reference: analysis.reference,
      hasExclusiveTimes: digest.hasExclusiveTimes)
    return text + settings(analysis) + TextTableWriter(columns).table(analysis.qualitySummaries)
  }

  /// Sizes at equal quality, and the quality to set for it. Figures by quality number are in the files.
  private static func answer(_ analysis: Analysis) -> String {
    let matched = analysis.targetsFirst(analysis.matchedQualities, \.target)
    return
      "Bytes at equal \(analysis.headline?.title ?? "score"), against \(analysis.reference?.name ?? ""):\n\n"
      + TextTableWriter(MatchedQualityColumns.brief(headline: analysis.headline)).table(matched)
      + (Wording(analysis).rowNotes.map { $0 + "\n" } ?? "") + "\n" + settings(analysis)
      + "By quality number, with sizes and times: summary.md, or heicbench report --format totals.\n"
  }

  private static func settings(_ analysis: Analysis) -> String {
    guard !analysis.settings.isEmpty else { return "" }
    let rows = analysis.targetsFirst(analysis.settings, \.target)
    let isOne = analysis.isOfOneImage
    return "Which quality to set\(isOne ? "" : " (median, easiest and hardest image)"):\n\n"
      + TextTableWriter(SettingColumns.all(headline: analysis.headline, isOfOneImage: isOne)).table(rows)
      + SettingColumns.notes(analysis).map { $0 + "\n" }.joined() + "\n"
  }

  private static func fileTable(_ analysis: Analysis) -> String {
    guard !analysis.fileComparisons.isEmpty else { return "" }
    return "\n"
      + TextTableWriter(FileColumns.all(headline: analysis.headline)).table(analysis.fileComparisons) + "\n"
  }

  /// One line per codec and quality, without verdicts and wall times, which take a pass over all rows.
  package static func totals(_ summaries: [QualitySummary], _ source: RowSource) throws -> String {
    let unfinished = try source.progress()?.phrase.map { "note: \($0)\n\n" } ?? ""

    let columns = QualitySummaryColumns.all(
      metrics: source.metrics, reference: source.variants.first, hasExclusiveTimes: { _ in false })
    return unfinished + TextTableWriter(columns).table(summaries)
  }
}

extension Analysis {
  fileprivate func targetsFirst<Row>(_ rows: [Row], _ target: (Row) -> Double) -> [Row] {
    options.targets.flatMap { wanted in rows.filter { target($0) == wanted } }
  }
}
