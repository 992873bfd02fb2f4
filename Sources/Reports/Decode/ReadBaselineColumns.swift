package import Analysis
import Model
import Store

/// A baseline of reads: deterministic figures, memory, and times with the machine that took them.
package enum ReadBaselineColumns {
  /// The text of the file, sorted so that diffs show only changed figures.
  package static func csv(_ rows: [ReadRow]) -> String {
    let order = rows.map { row in (gated: GatedRow(row), row: row) }.sorted {
      ($0.gated.row.image, $0.gated.title) < ($1.gated.row.image, $1.gated.title)
    }
    return CSVWriter(columns).text(order.map(\.row))
  }

  private static let names = [
    "image", "source", "codec", "settings", "build", "quality", "route", "wanted", "file_bytes",
    "touched_bytes",
    "ssimulacra2", "ssimulacra2_aligned", "cpu_ms", "cpu_min_ms", "cpu_mad_ms", "repeats", "peak_mib",
    "status",
  ]

  private static var columns: [Column<ReadRow>] {
    names.compactMap { name in DecodeColumns.all.first { $0.name == name } } + [
      Column("image_sha256", title: "Image") { Cell(code: GatedRow($0).row.imageHash) },
      Column("libraries", title: "Libraries") { Cell(code: GatedRow($0).row.libraries) },
      Column("host", title: "Host") { Cell(code: $0.record.timesOrigin?.host) },
      Column("processor", title: "Processor") { Cell(code: $0.record.timesOrigin?.processor) },
      Column("jobs", title: "Jobs") { Cell(integer: $0.record.timesOrigin?.jobs) },
    ]
  }
}
