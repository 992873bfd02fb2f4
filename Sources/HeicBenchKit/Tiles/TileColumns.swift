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
      .count("viewport_tiles", "Viewport, tiles") { row in
        row.measurement.map { Int(ViewportCost.centre(viewport, level: 0, $0).tiles) }
      },
      .count("viewport_bytes", "Viewport", unit: "bytes") { row in
        row.measurement.map { Int(ViewportCost.centre(viewport, level: 0, $0).bytes) }
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
      .code("status", "Status") { $0.record.outcome.word },
      .text("error", "Remark") { $0.record.outcome.remark(\.remarks) },
    ]
  }

  private static let picture: [Column<TileRow>] = [
    .code("image", "Image") { $0.record.key.image.name },
    .count("width", "Columns") { $0.measurement?.pyramid.width },
    .count("height", "Rows") { $0.measurement?.pyramid.height },
    .code("codec", "Codec") { $0.record.key.variant.codec },
    .code("settings", "Settings") { $0.settings.isEmpty ? nil : $0.settings },
    // The libraries given to a worker; empty for those of the system.
    .code("build", "Build") { $0.record.key.variant.build },
    Column("quality", title: "Quality") { .numeral($0.record.key.quality.description) },
  ]

  private static let cut: [Column<TileRow>] = [
    .count("tile_size", "Tile", unit: "px") { $0.record.key.cut.tileSize },
    .count("overlap", "Overlap", unit: "px") { $0.record.key.cut.overlap },
    .count("levels", "Levels") { $0.measurement?.tiles.count },
    .count("tiles", "Tiles") { $0.measurement.map { $0.tiles.joined().count } },
  ]

  private static let bytes: [Column<TileRow>] = [
    .count("whole_bytes", "Whole", unit: "bytes") { $0.measurement?.whole.bytes },
    .count("level0_bytes", "Level 0", unit: "bytes") { $0.measurement?.bytes(ofLevel: 0) },
    .count("total_bytes", "All levels", unit: "bytes") { $0.measurement?.totalBytes },
    .change("overhead_percent", "Overhead", decimals: 2) { $0.overhead },
    .change("matched_overhead_percent", "At equal score", decimals: 2) { $0.matchedOverhead },
    .count("container_bytes", "Container", unit: "bytes") { $0.measurement?.containerBytes },
  ]

  private static func number(
    _ row: TileRow, _ decimals: Int, _ value: (TilingMeasurement) -> Double?
  ) -> Cell { Cell(number: row.measurement.flatMap(value), decimals: decimals) }

  private static func milliseconds(_ row: TileRow, _ time: (TilingMeasurement) -> Int64) -> Cell {
    number(row, 2) { Double(time($0)) / 1e6 }
  }
}
