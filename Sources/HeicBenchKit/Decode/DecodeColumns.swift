import Analysis
import Model
import Reports
import Store

/// The columns of decodes.csv.
enum DecodeColumns {
  static let all: [Column<ReadRow>] =
    file + read + times + [
      Column("peak_mib", title: "Memory", unit: "MiB") { mebibytes($0, \.peakBytes) },
      Column("predicted_mib", title: "Predicted memory", unit: "MiB") { mebibytes($0, \.predictedBytes) },
      Column("touched_bytes", title: "Touched", unit: "bytes") { integer($0, \.touchedBytes) },
      Column("ssimulacra2", title: "SSIMULACRA 2") { number($0, \.ssimulacra2) },
      Column("ssimulacra2_aligned", title: "aligned") { number($0, \.alignedSSIMULACRA2) },
      Column("ssimulacra2_ceiling", title: "ceiling") { number($0, \.ceilingSSIMULACRA2) },
      Column("psnr_y_db", title: "PSNR-Y", unit: "dB") { number($0, \.psnrLuma) },
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
    Column("file_bytes", title: "File", unit: "bytes") { integer($0, \.fileBytes) },
    Column("width", title: "Columns") { integer($0, \.width) },
    Column("height", title: "Rows") { integer($0, \.height) },
  ]

  private static let read: [Column<ReadRow>] = [
    Column("route", title: "Route", alignment: .leading) { .code($0.record.key.route.rawValue) },
    Column("wanted", title: "Wanted", alignment: .leading) { .code($0.record.key.wanted.description) },
    Column("delivered_width", title: "Delivered columns") { integer($0, \.deliveredWidth) },
    Column("delivered_height", title: "Delivered rows") { integer($0, \.deliveredHeight) },
  ]

  private static let times: [Column<ReadRow>] = [
    Column("cpu_ms", title: "CPU", unit: "ms") { Cell(number: $0.cpu?.median, decimals: 2) },
    Column("wall_ms", title: "Wall", unit: "ms") { Cell(number: $0.wall, decimals: 2) },
    Column("cpu_min_ms", title: "CPU, least", unit: "ms") { Cell(number: $0.cpu?.minimum, decimals: 2) },
    Column("cpu_mad_ms", title: "CPU, deviation", unit: "ms") {
      Cell(number: $0.cpu?.deviation, decimals: 2)
    },
    Column("repeats", title: "Repeats") { integer($0, \.samples.count) },
    Column("timing", title: "Times taken", alignment: .leading) {
      Cell(code: $0.record.measurement?.timing.conditions.rawValue)
    },
  ]

  private static func integer(_ row: ReadRow, _ value: (Figures) -> Int) -> Cell {
    Cell(integer: row.record.measurement.map(value))
  }

  private static func number(_ row: ReadRow, _ value: (Figures) -> Double?) -> Cell {
    Cell(number: row.record.measurement.flatMap(value), decimals: 1)
  }

  private static func mebibytes(
    _ row: ReadRow, _ bytes: (Figures) -> Int?, _ decimals: Int = 2
  ) -> Cell {
    Cell(number: row.record.measurement.flatMap(bytes).map { Double($0) / 1_048_576 }, decimals: decimals)
  }

  /// The memory of single reads, measured and predicted.
  static let memory: [Column<ReadRow>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.record.key.image.name) },
    Column("kind", title: "File", alignment: .leading) { .text($0.kind) },
    Column("route", title: "Route", alignment: .leading) { .code($0.record.key.route.rawValue) },
    Column("megapixels", title: "Picture", unit: "MP") {
      number($0) { Double($0.width) * Double($0.height) / 1e6 }
    },
    Column("picture_mib", title: "Pixels given", unit: "MiB") { mebibytes($0, \.pixelBytes, 1) },
    Column("peak_mib", title: "Measured", unit: "MiB") { mebibytes($0, \.peakBytes, 1) },
    Column("predicted_mib", title: "Predicted", unit: "MiB") { mebibytes($0, \.predictedBytes, 1) },
    Column("off", title: "Off by", unit: "%") {
      guard let figures = $0.record.measurement, let peak = figures.peakBytes, peak > 0,
        let predicted = figures.predictedBytes
      else { return .empty }
      return Cell(change: (Double(predicted) / Double(peak) - 1) * 100, decimals: 0)
    },
  ]
}
