import Analysis
import Model
import Pixels
import Reports
package import Store

/// The columns of tiles.csv.
package enum TileColumns {
  /// All columns in the order of the file.
  /// - Parameter viewport: the size whose cost in the middle of level 0 the viewport's columns state.
  package static func all(viewport: (width: Int, height: Int)) -> [Column<TileRow>] {
    picture + cut + bytes + [
      Column("whole_ssimulacra2", title: "Whole, SSIMULACRA 2") { number($0, 2) { $0.whole.ssimulacra2 } },
      Column("level0_ssimulacra2", title: "Level 0, SSIMULACRA 2") { number($0, 2, \.ssimulacra2) },
      Column("encode_cpu_ms", title: "Encode CPU", unit: "ms") { milliseconds($0, \.encodeNanoseconds) },
      Column("viewport_tiles", title: "Viewport, tiles") { row in
        Cell(integer: row.measurement.map { Int(ViewportCost.centre(viewport, level: 0, $0).tiles) })
      },
      Column("viewport_bytes", title: "Viewport", unit: "bytes") { row in
        Cell(integer: row.measurement.map { Int(ViewportCost.centre(viewport, level: 0, $0).bytes) })
      },
      Column("viewport_cpu_ms", title: "Viewport, CPU", unit: "ms") { row in
        number(row, 2) { ViewportCost.centre(viewport, level: 0, $0).cpu }
      },
      Column("viewport_peak_mib", title: "Viewport, memory", unit: "MiB") {
        number($0, 2) { $0.viewportPeakBytes.map { Double($0) / 1_048_576 } }
      },
      Column("whole_decode_cpu_ms", title: "Whole, decode CPU", unit: "ms") {
        milliseconds($0, \.whole.decodeNanoseconds)
      },
      Column("status", title: "Status", alignment: .leading) { Cell(code: $0.record.outcome.word) },
      Column("error", title: "Remark", alignment: .leading) {
        Cell(text: $0.record.outcome.remark(\.remarks))
      },
    ]
  }

  private static let picture: [Column<TileRow>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.record.key.image.name) },
    Column("width", title: "Columns") { Cell(integer: $0.measurement?.pyramid.width) },
    Column("height", title: "Rows") { Cell(integer: $0.measurement?.pyramid.height) },
    Column("codec", title: "Codec", alignment: .leading) { .code($0.record.key.variant.codec) },
    Column("settings", title: "Settings", alignment: .leading) {
      Cell(code: $0.settings.isEmpty ? nil : $0.settings)
    },
    // The libraries given to a worker; empty for those of the system.
    Column("build", title: "Build", alignment: .leading) { Cell(code: $0.record.key.variant.build) },
    Column("quality", title: "Quality") { .numeral($0.record.key.quality.description) },
  ]

  private static let cut: [Column<TileRow>] = [
    Column("tile_size", title: "Tile", unit: "px") { .integer($0.record.key.cut.tileSize) },
    Column("overlap", title: "Overlap", unit: "px") { .integer($0.record.key.cut.overlap) },
    Column("levels", title: "Levels") { Cell(integer: $0.measurement?.tiles.count) },
    Column("tiles", title: "Tiles") { Cell(integer: $0.measurement.map { $0.tiles.joined().count }) },
  ]

  private static let bytes: [Column<TileRow>] = [
    Column("whole_bytes", title: "Whole", unit: "bytes") { Cell(integer: $0.measurement?.whole.bytes) },
    Column("level0_bytes", title: "Level 0", unit: "bytes") {
      Cell(integer: $0.measurement?.bytes(ofLevel: 0))
    },
    Column("total_bytes", title: "All levels", unit: "bytes") { Cell(integer: $0.measurement?.totalBytes) },
    Column("overhead_percent", title: "Overhead", unit: "%") { Cell(change: $0.overhead, decimals: 2) },
    Column("matched_overhead_percent", title: "At equal score", unit: "%") {
      Cell(change: $0.matchedOverhead, decimals: 2)
    },
    Column("container_bytes", title: "Container", unit: "bytes") {
      Cell(integer: $0.measurement?.containerBytes)
    },
  ]

  private static func number(
    _ row: TileRow, _ decimals: Int, _ value: (TilingMeasurement) -> Double?
  ) -> Cell { Cell(number: row.measurement.flatMap(value), decimals: decimals) }

  private static func milliseconds(_ row: TileRow, _ time: (TilingMeasurement) -> Int64) -> Cell {
    number(row, 2) { Double(time($0)) / 1e6 }
  }
}
