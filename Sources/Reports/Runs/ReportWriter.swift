public import Results

/// Writes a run's files into its results folder. Each is replaced as a whole or not at all.
public struct ReportWriter: Sendable {
  /// The name of the table of all points.
  public static let measurementsName = "measurements.csv"
  /// The name of the summary.
  public static let summaryName = "summary.md"

  /// The folder, which exists.
  public let folder: String
  /// What the analysis is asked for.
  public let options: AnalysisOptions

  /// Writes into `folder`.
  public init(folder: String, options: AnalysisOptions = .init()) {
    self.folder = folder
    self.options = options
  }

  /// Writes `measurements.csv`, the drawings that the run fills, and then `summary.md`, which shows them.
  /// Rows are read once and never held together.
  /// - Throws: `OutputError` where a file cannot be written, `AnalysisError`, and what the source throws.
  @discardableResult
  public func write(_ source: RowSource) throws -> RunReport {
    let report = try writeMeasurements(source)
    var charts: [ChartKind: String] = [:]
    for (kind, drawing) in ChartSet.drawings(of: report.analysis) {
      try AtomicFile.write(drawing, to: path(kind.fileName))
      charts[kind] = kind.fileName
    }
    try AtomicFile.write(report.summary(charts: charts), to: path(Self.summaryName))
    return report
  }

  private func writeMeasurements(_ source: RowSource) throws -> RunReport {
    var file = try AtomicFile(path: path(Self.measurementsName))
    var writer = CSVWriter(MeasurementColumns.all(metrics: source.metrics))
    var buffer = TextBuffer()
    writer.begin(into: &buffer)
    let report = try RunReport(reading: source, options: options) { row in
      writer.append(row, into: &buffer)
      if buffer.isLarge { buffer.flush(to: &file) }
    }
    writer.end(into: &buffer)
    buffer.flush(to: &file)
    try file.commit()
    return report
  }

  private func path(_ name: String) -> String { folder + "/" + name }
}
