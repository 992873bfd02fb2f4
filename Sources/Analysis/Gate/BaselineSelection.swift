import Model
package import Store

/// Contents of a committed baseline: the deterministic columns of a run, in an order that does not depend on the run,
/// so that its diffs show changed figures alone.
package enum BaselineSelection {
  /// Returns the columns of `measurements.csv` kept by a baseline, with the metrics' columns after `encoded_bytes`.
  package static func columns(metricColumns: [String]) -> [String] {
    [
      CSVColumnNames.image, CSVColumnNames.width, CSVColumnNames.height, CSVColumnNames.codec,
      CSVColumnNames.settings, CSVColumnNames.quality, CSVColumnNames.status, CSVColumnNames.encodedBytes,
    ] + metricColumns + [
      CSVColumnNames.libraries, CSVColumnNames.imageHash, CSVColumnNames.origin, CSVColumnNames.build,
      CSVColumnNames.importedFile,
    ]
  }

  /// Returns the rows by image, codec, settings and quality. Names are compared by bytes, alike on every machine.
  package static func sorted(_ rows: [ResultRow]) -> [ResultRow] {
    rows.map { row in
      let variant = row.variant
      let key = (
        variant?.codec ?? "", variant?.build ?? "", variant?.canonicalSettings ?? "",
        row.quality?.thousandths ?? -1, row.importedFile ?? ""
      )
      return (image: Array(row.image.utf8), key: key, row: row)
    }.sorted { a, b in
      a.image == b.image ? a.key < b.key : a.image.lexicographicallyPrecedes(b.image)
    }.map(\.row)
  }
}
