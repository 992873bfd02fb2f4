package import Analysis
import Store

/// The forms in which a whole run can be written to one stream.
package enum RunFormat: String, Sendable, Hashable, CaseIterable {
  /// One row per point: `MeasurementColumns`.
  case csv
  /// Manifest, rows and analysis: `docs/schema.json`.
  case json
  case markdown

  /// Writes the run piece by piece; memory does not grow with the rows.
  package func write(
    _ source: RowSource, options: AnalysisOptions = .init(), to output: inout some TextOutputStream
  ) throws {
    switch self {
    case .csv:
      let writer = CSVWriter(MeasurementColumns.all(metrics: source.metrics))
      try writer.write(to: &output) { try source.forEachRow($0) }
    case .json: try JSONReport.write(source, options: options, to: &output)
    case .markdown: output.write(try SummaryReport(RunReport(reading: source, options: options)).markdown)
    }
  }
}
