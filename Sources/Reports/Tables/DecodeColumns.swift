package import Analysis
import Model
package import Store

/// The columns of decodes.csv.
package enum DecodeColumns {
  package static let all: [Column<ReadRow>] =
    file + read + times + [
      Column("peak_mib", title: "Memory", unit: "MiB") { number($0, 2) { mebibytes($0.peakBytes) } },
      Column("predicted_mib", title: "Predicted memory", unit: "MiB") {
        number($0, 2) { mebibytes($0.predictedBytes) }
      },
      Column("touched_bytes", title: "Touched", unit: "bytes") {
        Cell(integer: $0.record.measurement?.touchedBytes)
      },
      Column("ssimulacra2", title: "SSIMULACRA 2") { number($0, 1, \.ssimulacra2) },
      Column("ssimulacra2_aligned", title: "aligned") { number($0, 1, \.alignedSSIMULACRA2) },
      Column("ssimulacra2_ceiling", title: "ceiling") { number($0, 1, \.ceilingSSIMULACRA2) },
      Column("psnr_y_db", title: "PSNR-Y", unit: "dB") { number($0, 1, \.psnrLuma) },
      Column("status", title: "Status", alignment: .leading) { Cell(code: $0.record.outcome.word) },
      Column("error", title: "Remark", alignment: .leading) {
        Cell(text: $0.record.outcome.remark(\.remarks))
      },
    ]

  private static let file: [Column<ReadRow>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.record.key.image.name) },
    Column("source", title: "Source", alignment: .leading) {
      .code($0.record.key.encoding == nil ? "as-found" : "encoded")
    },
    Column("codec", title: "Codec", alignment: .leading) { Cell(code: $0.codec.isEmpty ? nil : $0.codec) },
    Column("settings", title: "Settings", alignment: .leading) {
      Cell(code: $0.record.key.encoding?.variant.canonicalSettings)
    },
    Column("build", title: "Build", alignment: .leading) { Cell(code: $0.record.key.build) },
    Column("quality", title: "Quality") {
      $0.record.key.encoding.map { .numeral($0.quality.description) } ?? .empty
    },
    Column("file_bytes", title: "File", unit: "bytes") { Cell(integer: $0.record.measurement?.fileBytes) },
    Column("width", title: "Columns") { Cell(integer: $0.record.measurement?.width) },
    Column("height", title: "Rows") { Cell(integer: $0.record.measurement?.height) },
  ]

  private static let read: [Column<ReadRow>] = [
    Column("route", title: "Route", alignment: .leading) { .code($0.record.key.route.rawValue) },
    Column("wanted", title: "Wanted", alignment: .leading) { .code($0.record.key.wanted.description) },
    Column("delivered_width", title: "Delivered columns") {
      Cell(integer: $0.record.measurement?.deliveredWidth)
    },
    Column("delivered_height", title: "Delivered rows") {
      Cell(integer: $0.record.measurement?.deliveredHeight)
    },
  ]

  private static let times: [Column<ReadRow>] = [
    Column("cpu_ms", title: "CPU", unit: "ms") { Cell(number: $0.cpu?.median, decimals: 2) },
    Column("wall_ms", title: "Wall", unit: "ms") { Cell(number: $0.wall, decimals: 2) },
    Column("cpu_min_ms", title: "CPU, least", unit: "ms") { Cell(number: $0.cpu?.minimum, decimals: 2) },
    Column("cpu_mad_ms", title: "CPU, deviation", unit: "ms") {
      Cell(number: $0.cpu?.deviation, decimals: 2)
    },
    Column("repeats", title: "Repeats") { Cell(integer: $0.record.measurement?.samples.count) },
    Column("timing", title: "Times taken", alignment: .leading) {
      Cell(code: $0.record.measurement?.timing.conditions.rawValue)
    },
  ]

  private static func number(
    _ row: ReadRow, _ decimals: Int, _ value: (Figures) -> Double?
  ) -> Cell {
    Cell(number: row.record.measurement.flatMap(value), decimals: decimals)
  }

  private static func mebibytes(_ bytes: Int?) -> Double? { bytes.map { Double($0) / 1_048_576 } }
}
