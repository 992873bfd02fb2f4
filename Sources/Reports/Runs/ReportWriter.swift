package import Analysis
import Model
package import Store

/// Writes a run's files into its results folder, each replaced as a whole or not at all.
package struct ReportWriter: Sendable {
  package static let measurementsName = "measurements.csv"
  package static let summaryName = "summary.md"

  /// An existing folder.
  package let folder: String
  package let options: AnalysisOptions

  package init(folder: String, options: AnalysisOptions = .init()) {
    self.folder = folder
    self.options = options
  }

  package static let pageName = "report.html"
  /// The folder of page pictures that are not embedded in the page.
  package static let picturesName = "report-images"

  /// Writes `measurements.csv`, `savings.csv`, `bd-rates.csv`, the drawings that the run fills, `summary.md` and the
  /// page. Reads the rows once and never holds them together. Leftovers of killed processes and the pictures of an
  /// earlier page are removed. Foreign files stay; if one has the name of a report, nothing is written.
  ///
  /// - Parameters:
  ///   - title: The title of page and summary; nil for the run's own.
  ///   - pictures: Makes the pictures of the page in the folder, given the report; nil for none.
  /// - Throws: `OutputError` if a file cannot be written or something is in the way, `AnalysisError`, and errors of the
  ///   source.
  @discardableResult
  package func write(
    _ source: RowSource, title: String? = nil,
    pictures: ((RunReport, OwnedFolder) throws -> [ReportImage])? = nil
  ) throws -> RunReport {
    let files = try ResultsFolder.open(folder)
    try ResultsFolder.refuseObstacles(in: files)
    let (report, series) = try writeMeasurements(source.titled(title), files)
    var drawings: [ChartKind: String] = [:]
    for kind in ChartKind.allCases { drawings[kind] = kind.drawing(of: report.analysis) }
    let charts = try write(drawings, files)
    for feature in report.features { try feature.writeCharts(to: files) }
    try files.write(report.summary(charts: charts), to: Self.summaryName)
    files.removeFiles(in: Self.picturesName)
    var page = HTMLReport(
      manifest: report.manifest, analysis: report.analysis, digest: report.digest, series: series,
      charts: drawings, images: try pictures?(report, files) ?? [],
      title: report.manifest?.title ?? title)
    page.features = try report.features.map {
      ($0, try $0.section(in: files, pictures: Self.picturesName))
    }
    try files.write(try page.html(), to: Self.pageName)
    try files.tidy()
    return report
  }

  /// Writes the drawings and removes those of an earlier run that this one cannot fill: their figures would appear
  /// nowhere else.
  private func write(
    _ drawings: [ChartKind: String], _ files: OwnedFolder
  ) throws -> [ChartKind: String] {
    var charts: [ChartKind: String] = [:]
    for kind in ChartKind.allCases {
      if let drawing = drawings[kind] {
        try files.write(drawing, to: kind.fileName)
        charts[kind] = kind.fileName
      } else {
        files.remove(kind.fileName)
      }
    }
    return charts
  }

  private func writeMeasurements(
    _ source: RowSource, _ files: OwnedFolder
  ) throws -> (RunReport, PageSeries) {
    var measurements = TableFile(
      Self.measurementsName, CSVWriter(MeasurementColumns.all(metrics: source.metrics)), in: files)
    var savings = TableFile(
      ImageFigureColumns.savingsName,
      CSVWriter(ImageFigureColumns.savings(metric: options.headlineMetric)), in: files)
    var rates = TableFile(ImageFigureColumns.ratesName, CSVWriter(ImageFigureColumns.rates), in: files)
    var series = PageSeries(variants: source.variants, limit: options.detailedImages)
    try measurements.begin()
    let report = try RunReport(reading: source, options: options) { figures in
      for saving in figures.savings { try savings.append(saving) }
      for rate in figures.rates { try rates.append(rate) }
    } body: { row in
      try measurements.append(row)
      series.add(row)
    }
    try measurements.finish()
    try savings.finish()
    try rates.finish()
    return (report, series)
  }
}
