import Analysis
import Metrics
import Model
import Reports
import Store

/// Contents of a committed baseline: the deterministic columns of a run, in an order that does not depend on the run,
/// so that its diffs show changed figures alone.
enum BaselineSelection {
  /// Returns the columns of `measurements.csv` kept by a baseline, with the metrics' columns after `encoded_bytes`.
  static func columns(metricColumns: [String]) -> [String] {
    [
      CSVColumnNames.image, CSVColumnNames.width, CSVColumnNames.height, CSVColumnNames.codec,
      CSVColumnNames.settings, CSVColumnNames.quality, CSVColumnNames.status, CSVColumnNames.encodedBytes,
    ] + metricColumns + [
      CSVColumnNames.libraries, CSVColumnNames.imageHash, CSVColumnNames.origin, CSVColumnNames.build,
      CSVColumnNames.importedFile,
    ]
  }

  /// Returns the rows by image, codec, settings and quality. Names are compared by bytes, alike on every machine.
  static func sorted(_ rows: [ResultRow]) -> [ResultRow] {
    rows.map { row in
      let variant = row.variant
      return (
        image: Array(row.image.utf8),
        names: [variant?.codec ?? "", variant?.build ?? "", variant?.canonicalSettings ?? ""],
        quality: row.quality?.thousandths ?? -1, file: row.importedFile ?? "", row: row
      )
    }.sorted { a, b in
      if a.image != b.image { return a.image.lexicographicallyPrecedes(b.image) }
      if a.names != b.names { return a.names.lexicographicallyPrecedes(b.names) }
      return a.quality != b.quality ? a.quality < b.quality : a.file < b.file
    }.map(\.row)
  }
}
