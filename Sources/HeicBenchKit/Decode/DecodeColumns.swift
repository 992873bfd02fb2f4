import Analysis
import Metrics
import Model
import Reports
import Store

/// The columns of decodes.csv.
enum DecodeColumns {
  /// - Parameter furtherMetrics: Metrics besides those of every read.
  static func all(furtherMetrics: [MetricTraits]) -> [Column<CaseRecord>] {
    let scores = ReadScore.allCases.filter { $0 != .original }.map { score in
      Column<CaseRecord>(score.column, title: score.rawValue.isEmpty ? "SSIMULACRA 2" : score.rawValue) {
        Cell(number: $0.figures?[score], decimals: 1)
      }
    }
    return file + read + times + [
      quantity(.decodePeak, "peak_mib", decimals: 2), quantity(.predictedPeak, decimals: 2),
      quantity(.touchedBytes),
    ] + scores + [
      Column("psnr_y_db", title: "PSNR-Y", unit: "dB") {
        Cell(number: $0.figures?.scores["psnr-y"], decimals: 1)
      },
      Column("status", title: "Status", alignment: .leading) { Cell(code: $0.outcome.word) },
      Column("error", title: "Remark", alignment: .leading) { Cell(text: $0.outcome.remark(\.remarks)) },
    ]
      + furtherMetrics.map { metric in
        Column(metric.column, title: metric.title, unit: metric.unit) {
          Cell(number: $0.figures?.scores[metric.id], decimals: metric.decimals)
        }
      }
  }

  private static let file: [Column<CaseRecord>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.key.image.name) },
    Column("source", title: "Source", alignment: .leading) {
      .code($0.key.encodedAt == nil ? "as-found" : "encoded")
    },
    Column("codec", title: "Codec", alignment: .leading) { Cell(code: $0.codec.isEmpty ? nil : $0.codec) },
    Column("settings", title: "Settings", alignment: .leading) {
      Cell(code: $0.key.encoding?.variant.canonicalSettings)
    },
    Column("build", title: "Build", alignment: .leading) { Cell(code: $0.key.build) },
    Column("quality", title: "Quality") { $0.key.encodedAt.map { .numeral($0.description) } ?? .empty },
    Column("file_bytes", title: "File", unit: "bytes") { Cell(integer: $0.figures?.encodedBytes) },
    quantity(.width), quantity(.height),
  ]

  private static let read: [Column<CaseRecord>] = [
    Column("route", title: "Route", alignment: .leading) { .code($0.key.route.rawValue) },
    Column("wanted", title: "Wanted", alignment: .leading) { .code($0.key.wanted.description) },
    quantity(.deliveredWidth), quantity(.deliveredHeight),
  ]

  private static let times: [Column<CaseRecord>] = [
    time("cpu_ms", "CPU") { $0.cpu?.median }, time("wall_ms", "Wall") { $0.wall },
    time("cpu_min_ms", "CPU, least") { $0.cpu?.minimum },
    time("cpu_mad_ms", "CPU, deviation") { $0.cpu?.deviation },
    Column("repeats", title: "Repeats") { Cell(integer: $0.figures?.timing.decode.count) },
    Column("timing", title: "Times taken", alignment: .leading) {
      Cell(code: $0.figures?.timing.conditions.rawValue)
    },
  ]

  private static func time(
    _ name: String, _ title: String, _ value: @escaping @Sendable (CaseRecord) -> Double?
  ) -> Column<CaseRecord> {
    Column(name, title: title, unit: "ms") { Cell(number: value($0), decimals: 2) }
  }

  /// A column of a quantity with the name and unit of its traits; whole numbers if they are shown as stored.
  private static func quantity(
    _ quantity: Quantity, _ name: String? = nil, title: String? = nil, decimals: Int = 0
  ) -> Column<CaseRecord> {
    let traits = quantity.traits
    return Column(name ?? traits.column, title: title ?? traits.title, unit: traits.unit) { record in
      let figures = record.figures
      let value = quantity == .decodedBytes ? figures?.pixelBytes : figures?.figures[quantity]
      return traits.scale == 1
        ? Cell(integer: value) : Cell(number: value.map { Double($0) / traits.scale }, decimals: decimals)
    }
  }

  /// The memory of single reads, measured and predicted.
  static let memory: [Column<CaseRecord>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.key.image.name) },
    Column("kind", title: "File", alignment: .leading) { .text($0.kind) },
    Column("route", title: "Route", alignment: .leading) { .code($0.key.route.rawValue) },
    Column("megapixels", title: "Picture", unit: "MP") {
      Cell(number: $0.figures.map { Double($0[.width]) * Double($0[.height]) / 1e6 }, decimals: 1)
    },
    quantity(.decodedBytes, title: "Pixels given", decimals: 1),
    quantity(.decodePeak, title: "Measured", decimals: 1),
    quantity(.predictedPeak, title: "Predicted", decimals: 1),
    Column("off", title: "Off by", unit: "%") {
      guard let figures = $0.figures?.figures, let peak = figures[.decodePeak], peak > 0,
        let predicted = figures[.predictedPeak]
      else { return .empty }
      return Cell(change: (Double(predicted) / Double(peak) - 1) * 100, decimals: 0)
    },
  ]
}

extension ReadScore {
  fileprivate var column: String { name.replacing(" ", with: "_") }
}

extension Figures {
  /// Bytes of the decoded pixels; for reads without a record of it, as 8-bit red, green and blue.
  var pixelBytes: Int {
    figures[.decodedBytes]
      ?? self[.decodedWidth].multipliedReportingOverflow(by: self[.decodedHeight] * 3).partialValue
  }
}

// A read for tables: one row of decodes.csv.
extension CaseRecord {
  /// CPU times of the decode, milliseconds; nil without a measurement.
  var cpu: ResultRow.Timing? {
    ResultRow.Timing(nanoseconds: (figures?.timing.decode ?? []).map(\.cpuNanoseconds))
  }

  /// Median elapsed time of the decode, milliseconds.
  var wall: Double? { (figures?.timing.decode ?? []).map { Double($0.wallNanoseconds) / 1e6 }.median }

  /// Codec, or format of a file as found.
  var codec: String { key.encodedAt == nil ? figures?.format ?? key.variant.codec : key.variant.codec }

  /// Kind of the file in words: `HEIC as found`, `heic:preset=medium at quality 0.8`.
  var kind: String {
    guard let encoding = key.encoding else {
      let found = figures.map { "\(($0.format ?? "").uppercased()) as found" } ?? "files as found"
      return key.build.map { "\(found), read by \($0)" } ?? found
    }
    return "\(encoding.variant.name) at quality \(encoding.quality)"
  }

  /// `thumbnail, 320 px: 5.1 ms, SSIMULACRA 2 37, aligned 68 of at most 87`.
  var caption: String {
    var text = "\(key.route.rawValue), \(key.wanted) px"
    if let cpu = cpu?.median { text += ": \(Numerals.fixed(cpu, decimals: cpu < 10 ? 1 : 0)) ms" }
    let words: [(String, ReadScore)] = [
      (", SSIMULACRA 2", .plain), (", aligned", .aligned), ("; another good filter", .ceiling),
    ]
    for (name, score) in words {
      if let score = figures?[score] { text += "\(name) \(Numerals.fixed(score, decimals: 0))" }
    }
    return text
  }
}

extension GatedTable {
  init(reads: [CaseRecord]) {
    self.init(.reads, DecodeColumns.all(furtherMetrics: []), reads, record: \.self)
  }
}
