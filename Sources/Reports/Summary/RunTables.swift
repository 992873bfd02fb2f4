import Analysis
import Model
import Store

/// The tables of a run under their captions, for summary and page alike; nil without rows.
struct RunTables {
  let analysis: Analysis
  let digest: RunDigest

  var target: ReportTable? {
    table(
      analysis.target.map(TargetColumns.title) ?? "", TargetColumns.all(analysis),
      TargetColumns.Row.rows(of: analysis), isOpen: true)
  }

  var bytes: ReportTable? {
    table(
      "Bytes at equal quality", MatchedQualityColumns.bytes(headline: analysis.headline),
      analysis.matchedQualities, isOpen: true, note: Wording(analysis).unequalRows)
  }

  var settings: ReportTable? {
    let (headline, isOne) = (analysis.headline, analysis.isOfOneImage)
    let notes = [SettingColumns.explanation(headline, isOfOneImage: isOne)] + SettingColumns.notes(analysis)
    return table(
      "Which quality to set", SettingColumns.all(headline: headline, isOfOneImage: isOne), analysis.settings,
      isOpen: true, note: notes.joined(separator: " "))
  }

  var files: ReportTable? {
    table(
      "Against the files themselves", FileColumns.all(headline: analysis.headline), analysis.fileComparisons,
      isOpen: true, note: FileColumns.explanation)
  }

  var imports: ReportTable? {
    table(
      "Files of other encoders", ImportColumns.all(headline: analysis.headline), analysis.importComparisons,
      isOpen: true, note: ImportColumns.explanation)
  }

  var times: ReportTable? {
    table(
      "Time at equal quality",
      MatchedQualityColumns.time(headline: analysis.headline, reference: analysis.reference),
      analysis.matchedQualities.filter { $0.cpu[.encode] != nil || $0.cpu[.decode] != nil })
  }

  var bdRates: ReportTable? {
    table(
      "BD-rate", BDRateColumns.all(metrics: analysis.metrics, headlineID: analysis.options.headlineMetric),
      analysis.bdRates, isOpen: true)
  }

  var pareto: ReportTable? {
    table(
      "Bytes against encode time", ParetoColumns.all(headline: analysis.headline),
      ParetoColumns.Row.rows(of: analysis.paretoFronts))
  }

  var qualities: ReportTable? {
    let columns = QualitySummaryColumns.all(
      metrics: analysis.metrics, reference: analysis.reference,
      hasExclusiveTimes: { [digest] in digest.hasExclusiveTimes($0) })
    return table(
      "Every codec and quality", columns, analysis.showsQualities ? analysis.qualitySummaries : [])
  }

  var sanity: ReportTable? {
    table("Checks of the sweep itself", FindingColumns.sanity, analysis.sanity.violations)
  }

  var failures: ReportTable? {
    table("Failed points", FindingColumns.points, digest.failures.first, isOpen: true)
  }

  var unsupported: ReportTable? {
    table("Unsupported points", FindingColumns.unsupported, digest.unsupported)
  }

  var unusable: ReportTable? {
    table("Unusable images", FindingColumns.images, digest.unusable.first, isOpen: true)
  }

  /// The tables of the page, and the notes on times under theirs.
  var html: String {
    let notes = Wording(analysis).timeNotes.map { HTMLText.paragraph($0, class: "context") }
    return
      ([target, bytes, settings, files, imports, times].map { $0?.html ?? "" }
      + [notes.joined(separator: "\n")]
      + [bdRates, pareto, qualities, sanity, failures, unsupported, unusable].map { $0?.html ?? "" })
      .joined(separator: "\n")
  }

  private func table<Row: Sendable>(
    _ caption: String, _ columns: [Column<Row>], _ rows: [Row], isOpen: Bool = false, note: String? = nil
  ) -> ReportTable? {
    rows.isEmpty
      ? nil
      : ReportTable(caption, columns, rows, fold: isOpen ? .open : .closed, note: note, pageRows: 1000)
  }
}
