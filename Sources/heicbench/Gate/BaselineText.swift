import Analysis
import Model
import Reports
import Store

/// A run as a baseline to commit.
enum BaselineText {
  /// What every baseline, and every measurements.csv, begins with.
  static let beginning = "image,"

  /// The deterministic columns of all rows, sorted.
  static func csv(_ source: RowSource) throws -> String {
    var rows: [ResultRow] = []
    try source.forEachRow { rows.append(BaselineSelection.slim($0)) }
    let scores = rows.reduce(into: Set<String>()) { $0.formUnion($1.scores.keys) }
    let measured = source.metrics(with: scores)
    let names = BaselineSelection.columns(metricColumns: measured.map(\.column))
    let all = MeasurementColumns.all(metrics: measured)
    let columns = names.compactMap { name in all.first { $0.name == name } }
    return CSVWriter(columns).text(BaselineSelection.sorted(rows))
  }
}

extension RowSource {
  /// The metrics that there are scores of, also those that a file has under a name of its own, so that no
  /// column is lost on the way from file to file.
  func metrics(with scores: Set<String>) -> [MetricTraits] {
    let known = metrics.filter { scores.contains($0.id) }
    let others = scores.subtracting(known.map(\.id)).sorted()
    return known + others.map { MetricTraits(id: $0, column: $0, title: $0, decimals: 4) }
  }
}
