import Analysis
import Model
import Reports
import Store

enum BaselineText {
  /// The first characters of every baseline and every measurements.csv.
  static let beginning = "image,"

  /// Writes the deterministic columns of all rows, sorted. Rows are read twice, since the first line names the metrics
  /// with scores. If rows come in the order of image names, as those of a run do, only one image's are held at a time.
  static func write(
    _ source: RowSource, to output: inout some TextOutputStream, seeing: (ResultRow) -> Void = { _ in }
  ) throws {
    var (scores, isSorted, last) = (Set<String>(), true, "")
    try source.forEachRow { row in
      seeing(row)
      for metric in row.scores.keys where !scores.contains(metric) { scores.insert(metric) }
      guard row.image != last else { return }
      isSorted = isSorted && last.utf8.lexicographicallyPrecedes(row.image.utf8)
      last = row.image
    }
    var writer = CSVWriter(columns(source, scores))
    var (buffer, rows) = (TextBuffer(), [ResultRow]())
    func writeRows() {
      for row in BaselineSelection.sorted(rows) { writer.append(row, into: &buffer) }
      rows.removeAll(keepingCapacity: true)
    }
    writer.begin(into: &buffer)
    try source.forEachRow { row in
      if isSorted, let image = rows.last?.image, image != row.image { writeRows() }
      rows.append(BaselineSelection.slim(row))
      if buffer.isLarge { buffer.flush(to: &output) }
    }
    writeRows()
    buffer.flush(to: &output)
  }

  private static func columns(_ source: RowSource, _ scores: Set<String>) -> [Column<ResultRow>] {
    let measured = source.metrics(with: scores)
    let all = MeasurementColumns.all(metrics: measured)
    return BaselineSelection.columns(metricColumns: measured.map(\.column)).compactMap { name in
      all.first { $0.name == name }
    }
  }
}
