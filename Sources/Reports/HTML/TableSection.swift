import Analysis
import Model
import Store

/// The tables behind the plots, from the same columns as the Markdown.
struct TableSection {
  let analysis: Analysis
  let digest: RunDigest

  var html: String {
    let quality = QualitySummaryColumns.all(metrics: analysis.metrics, reference: analysis.reference) {
      digest.hasExclusiveTimes($0)
    }
    let sections = [
      section(
        analysis.target.map(TargetColumns.title) ?? "", TargetColumns.all(analysis),
        TargetColumns.Row.rows(of: analysis), isOpen: true),
      section(
        "Bytes at equal quality", MatchedQualityColumns.bytes(headline: analysis.headline),
        analysis.matchedQualities, isOpen: true, note: Wording(analysis).unequalRows),
      section(
        "Which quality to set",
        SettingColumns.all(headline: analysis.headline, isOfOneImage: analysis.isOfOneImage),
        analysis.settings, isOpen: true,
        note: ([SettingColumns.explanation(analysis.headline, isOfOneImage: analysis.isOfOneImage)]
          + SettingColumns.notes(analysis)).joined(separator: " ")),
      section(
        "Against the files themselves", FileColumns.all(headline: analysis.headline),
        analysis.fileComparisons,
        isOpen: true, note: FileColumns.explanation),
      section(
        "Files of other encoders", ImportColumns.all(headline: analysis.headline),
        analysis.importComparisons, isOpen: true, note: ImportColumns.explanation),
      section(
        "Time at equal quality",
        MatchedQualityColumns.time(headline: analysis.headline, reference: analysis.reference),
        analysis.matchedQualities.filter { $0.cpu[.encode] != nil }),
      Wording(analysis).timeNotes.map { HTMLText.paragraph($0, class: "context") }.joined(separator: "\n"),
      section(
        "BD-rate", BDRateColumns.all(metrics: analysis.metrics, headlineID: analysis.options.headlineMetric),
        analysis.bdRates, isOpen: true),
      section(
        "Bytes against encode time", ParetoColumns.all(headline: analysis.headline),
        ParetoColumns.Row.rows(of: analysis.paretoFronts)),
      section("Every codec and quality", quality, analysis.showsQualities ? analysis.qualitySummaries : []),
      section("Checks of the sweep itself", FindingColumns.sanity, analysis.sanity.violations),
      section("Failed points", FindingColumns.points, digest.failures.first, isOpen: true),
      section("Unsupported points", FindingColumns.unsupported, digest.unsupported),
      section("Unusable images", FindingColumns.images, digest.unusable.first, isOpen: true),
    ]
    return sections.joined(separator: "\n")
  }

  /// The table of the facts behind the run.
  static func run(of manifest: RunManifest) -> String {
    HTMLTable(RunFact.columns).table(RunFact.facts(of: manifest), caption: "How the figures were made")
  }

  private func section<Row: Sendable>(
    _ title: String, _ columns: [Column<Row>], _ rows: [Row], isOpen: Bool = false, note: String? = nil
  ) -> String {
    guard !rows.isEmpty else { return "" }
    return ReportTable(
      title, columns, Array(rows.prefix(1000)), fold: isOpen ? .open : .closed, note: note
    ).html
  }
}
