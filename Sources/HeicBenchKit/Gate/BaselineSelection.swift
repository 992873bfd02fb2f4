import Model
import Store

/// The order of a committed baseline. It does not depend on the run, so that diffs show only changed figures.
enum BaselineSelection {
  /// Returns the rows by image, codec, settings and quality. Names are compared by bytes, so the order is the same on
  /// every machine.
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
