import Analysis
import Model
import Store

/// The tables of a run with their captions, for summary, page and JSON alike; nil without rows.
struct RunTables {
  let report: RunReport

  private var analysis: Analysis { report.analysis }
  private var digest: RunDigest { report.digest }
  private var headline: MetricTraits? { analysis.headline }

  var target: ReportTable? {
    table(
      analysis.target.map(TargetColumns.title) ?? "", TargetColumns.all(analysis),
      analysis.target?.totals ?? [], isOpen: true)
  }

  var bytes: ReportTable? {
    table(
      "Bytes at equal quality", MatchedQualityColumns.bytes(headline: headline), analysis.matchedQualities,
      isOpen: true, footnotes: [Wording(analysis).rowNotes].compactMap(\.self))
  }

  var pairs: ReportTable? {
    let score = analysis.drawnTarget
    return table(
      "Codecs against each other", ComparisonColumns.pairs(analysis, at: score),
      ComparisonColumns.paired(analysis),
      isOpen: true,
      footnotes: [
        "Bytes of the row's codec against the column's at \(headline?.phrase(score) ?? ""), image by image, with 95 % "
          + "intervals; ≈ marks pairs that cannot be told apart. comparisons.csv lists every score, "
          + "bd-rate-comparisons.csv the BD-rates."
      ])
  }

  var settings: ReportTable? {
    let isOne = analysis.isOfOneImage
    let notes = SettingColumns.notes(analysis)
    let explanation = SettingColumns.explanation(headline, isOfOneImage: isOne)
    return table(
      "Which quality to set", SettingColumns.all(headline: headline, isOfOneImage: isOne), analysis.settings,
      isOpen: true, note: ([explanation] + notes).joined(separator: " "), footnotes: notes)
  }

  var files: ReportTable? {
    table(
      "Compared with the source files", FileColumns.all(headline: headline), analysis.fileComparisons,
      isOpen: true, note: FileColumns.explanation)
  }

  var imports: ReportTable? {
    table(
      "Files of other encoders", ImportColumns.all(headline: headline), analysis.importComparisons,
      isOpen: true, note: ImportColumns.explanation)
  }

  var times: ReportTable? {
    table(
      "Time at equal quality",
      MatchedQualityColumns.time(headline: headline, reference: analysis.reference),
      analysis.matchedQualities.filter { $0.cpu[.encode] != nil || $0.cpu[.decode] != nil },
      footnotes: Wording(analysis).timeNotes)
  }

  var timesByProcessor: ReportTable? {
    table(
      "Time at equal quality, by processor",
      MatchedQualityColumns.timeByProcessor(headline: headline, reference: analysis.reference),
      analysis.matchedByProcessor, footnotes: Wording(analysis).timeNotes)
  }

  var qualitiesByProcessor: ReportTable? {
    table(
      "Times of every codec and quality, by processor",
      QualitySummaryColumns.timesByProcessor(hasExclusiveTimes: digest.hasExclusiveTimes),
      analysis.showsQualities ? analysis.qualitiesByProcessor : [])
  }

  var bdRates: ReportTable? {
    table("BD-rate", BDRateColumns.all(analysis), analysis.bdRates, isOpen: true)
  }

  var pareto: ReportTable? {
    table(
      "Bytes against encode time", ParetoColumns.all(headline: headline),
      ParetoColumns.rows(of: analysis.paretoFronts))
  }

  var qualities: ReportTable? {
    table(
      "Every codec and quality", qualityColumns, analysis.showsQualities ? analysis.qualitySummaries : [])
  }

  var bases: ReportTable? {
    table(
      "The base pictures of gain maps, as SDR", BaseColumns.all,
      analysis.qualitySummaries.filter { $0.gainMaps[.baseBytes] != nil }, note: BaseColumns.explanation)
  }

  var qualityColumns: [Column<QualitySummary>] {
    QualitySummaryColumns.all(
      metrics: analysis.metrics, reference: analysis.reference,
      hasExclusiveTimes: digest.hasExclusiveTimes)
  }

  var sanity: ReportTable? {
    table("Consistency checks", FindingColumns.sanity, analysis.sanity.violations)
  }

  var failures: ReportTable? {
    table("Failed encodes", FindingColumns.points, digest.failures.first, isOpen: true)
  }

  var unsupported: ReportTable? {
    table("Unsupported encodes", FindingColumns.unsupported, digest.unsupported)
  }

  var unusable: ReportTable? {
    table("Unusable images", FindingColumns.images, digest.unusable.first, isOpen: true)
  }

  private func table<Row: Sendable>(
    _ caption: String, _ columns: [Column<Row>], _ rows: [Row], isOpen: Bool = false, note: String? = nil,
    footnotes: [String] = []
  ) -> ReportTable? {
    guard !rows.isEmpty else { return nil }
    return ReportTable(
      caption, columns, rows, fold: isOpen ? .open : .closed, note: note, footnotes: footnotes, pageRows: 1000
    )
  }
}
