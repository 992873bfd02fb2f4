package import Analysis
import Model
package import Store

/// Writes a run's files into its results folder, each replaced as a whole or not at all.
package struct ReportWriter: Sendable {
  static let measurementsName = "measurements.csv"
  static let summaryName = "summary.md"

  package let folder: String
  package let options: AnalysisOptions

  package init(folder: String, options: AnalysisOptions = .standard) {
    (self.folder, self.options) = (folder, options)
  }

  package static let pageName = "report.html"
  package static let picturesName = "report-images"

  /// Writes `measurements.csv`, `savings.csv`, `bd-rates.csv`, the tables of pairs, drawings, `summary.md` and the page
  /// in one pass over the rows. Leftovers of killed processes and the pictures of an earlier page are removed. Files
  /// that are not ours stay; if one has the name of a report, nothing is written. `pictures` writes the page's pictures
  /// into the folder, given the report.
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
    for (name, columns, pairs) in ImageFigureColumns.pairTables(report.analysis) {
      try files.write(pairs.isEmpty ? nil : RowWriter(csv: columns).text(pairs), orRemove: name)
    }
    for kind in ChartKind.allCases { try files.write(drawings[kind], orRemove: kind.fileName) }
    for feature in report.features { try feature.writeCharts(to: files) }
    try files.write(SweepReport(report, charts: drawings).markdown, to: Self.summaryName)
    files.removeFiles(in: Self.picturesName)
    let page = HTMLReport(
      report: report, series: series, charts: drawings, images: try pictures?(report, files) ?? [],
      sections: try report.features.map { try $0.section(in: files, pictures: Self.picturesName) },
      title: report.manifest?.title ?? title)
    try files.write(try page.html(), to: Self.pageName)
    return report
  }

  /// Writes the rows of measurements.csv, savings.csv and bd-rates.csv as Parquet beside them. Returns the files' names.
  package func writeParquet(_ source: RowSource) throws -> [String] {
    let files = try ResultsFolder.open(folder)
    let names = Self.tableNames.map(\.asParquet)
    try files.refuseObstacles(among: names)
    try writeTables(.parquet, names, source, files) { _ in }
    return names
  }

  private static let tableNames = [
    measurementsName, ImageFigureColumns.savingsName, ImageFigureColumns.ratesName,
  ]

  private func writeMeasurements(
    _ source: RowSource, _ files: OwnedFolder
  ) throws -> (RunReport, PageSeries) {
    var series = PageSeries(variants: source.variants, limit: options.detailedImages)
    let report = try writeTables(.csv, Self.tableNames, source, files) { series.add($0) }
    return (report, series)
  }

  /// Writes the points, savings and BD-rates in one pass over the rows, which `body` sees too.
  @discardableResult
  private func writeTables(
    _ syntax: StreamedTable.Syntax, _ names: [String], _ source: RowSource, _ files: OwnedFolder,
    body: (ResultRow) -> Void
  ) throws -> RunReport {
    var measurements = TableFile(names[0], RowWriter(syntax, source.columns), in: files)
    var savings = TableFile(
      names[1], RowWriter(syntax, ImageFigureColumns.savings(metric: options.headlineMetric)), in: files)
    var rates = TableFile(names[2], RowWriter(syntax, ImageFigureColumns.rates), in: files)
    try measurements.begin()
    if syntax == .parquet {
      // The schema makes the file useful even without rows.
      try savings.begin()
      try rates.begin()
    }
    let report = try RunReport(reading: source, options: options) { figures in
      for saving in figures.savings { try savings.append(saving) }
      for rate in figures.rates { try rates.append(rate) }
    } body: { row in
      try measurements.append(row)
      body(row)
    }
    try measurements.finish()
    try savings.finish()
    try rates.finish()
    return report
  }
}

extension String {
  /// The name of a CSV file with the extension replaced by `.parquet`.
  var asParquet: String { (hasSuffix(".csv") ? String(dropLast(4)) : self) + ".parquet" }
}

/// A table as a file in a results folder, which gets its name when finished. Without rows there is no file, not even an
/// earlier run's.
struct TableFile<Row> {
  private let name: String
  private let files: OwnedFolder
  private let writer: RowWriter<Row>
  private var stream: TableStream<Row, AtomicFile>?

  init(_ name: String, _ writer: RowWriter<Row>, in files: OwnedFolder) {
    (self.name, self.files, self.writer) = (name, files, writer)
  }

  mutating func begin() throws { stream = TableStream(writer, to: try files.file(name)) }

  mutating func append(_ row: Row) throws {
    if stream == nil { try begin() }
    stream?.append(row)
  }

  mutating func finish() throws {
    guard let file = stream?.finish() else { return files.remove(name) }
    try file.commit()
  }
}
