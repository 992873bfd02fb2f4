import BenchModel
import Reports
import Results

/// A run as a baseline to commit.
enum BaselineText {
  /// The deterministic columns of all rows, sorted.
  static func csv(_ source: RowSource) throws -> String {
    var rows: [ResultRow] = []
    try source.forEachRow { rows.append(BaselineSelection.slim($0)) }
    let measured = source.metrics.filter { metric in rows.contains { $0.scores[metric.id] != nil } }
    let names = BaselineSelection.columns(metricColumns: measured.map(\.column))
    let all = MeasurementColumns.all(metrics: measured)
    let columns = names.compactMap { name in all.first { $0.name == name } }
    return CSVWriter(columns).text(BaselineSelection.sorted(rows))
  }
}
