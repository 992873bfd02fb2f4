import Analysis
import Metrics
import Model
import Reports
import Store

enum DecodeColumns {
  static func all(furtherMetrics: [MetricTraits]) -> [Column<CaseRecord>] {
    var columns = read
    for score in ReadScore.allCases where score != .original {
      columns.append(.number(score.column, score.column, decimals: 1) { $0.figures?[score] })
    }
    columns += [
      .number("psnr_y_db", "PSNR-Y", unit: "dB", decimals: 1) { $0.figures?.scores["psnr-y"] },
      .code("status", "Status") { $0.outcome.word },
      .text("error", "Remark") { $0.outcome.remark(\.remarks) },
    ]
    for metric in furtherMetrics {
      columns.append(
        .number(metric.column, metric.title, unit: metric.unit, decimals: metric.decimals) {
          $0.figures?.scores[metric.id]
        })
    }
    return columns
  }

  private static let read: [Column<CaseRecord>] = [
    image, .code("source", "Source") { $0.key.encodedAt == nil ? "as-found" : "encoded" },
    .code("codec", "Codec") { $0.codec.isEmpty ? nil : $0.codec },
    .code("settings", "Settings") { $0.key.encoding?.variant.canonicalSettings },
    .code("build", "Build") { $0.key.build ?? LibraryBuild.system },
    Column("quality", title: "Quality") { $0.key.encodedAt.map { .numeral($0.description) } ?? .empty },
    .count("file_bytes", "File", unit: "bytes") { $0.figures?.encodedBytes }, quantity(.width),
    quantity(.height),
    route, .code("wanted", "Wanted") { $0.key.wanted.description }, quantity(.deliveredWidth),
    quantity(.deliveredHeight), .number("cpu_ms", "CPU", unit: "ms", decimals: 2) { $0.cpu?.median },
    .number("wall_ms", "Wall", unit: "ms", decimals: 2) { $0.wall },
    .number("cpu_min_ms", "CPU, minimum", unit: "ms", decimals: 2) { $0.cpu?.minimum },
    .number("cpu_mad_ms", "CPU, deviation", unit: "ms", decimals: 2) { $0.cpu?.deviation },
    .count("repeats", "Repeats") { $0.figures?.timing.decode.count },
    .code("timing", "Timing mode") { $0.figures?.timing.conditions.rawValue },
    quantity(.decodePeak, "peak_mib", decimals: 2), quantity(.predictedPeak, decimals: 2),
    quantity(.touchedBytes),
  ]

  private static let image = Column<CaseRecord>.code("image", "Image") { $0.key.image.name }
  private static let route = Column<CaseRecord>.code("route", "Route") { $0.key.route.rawValue }

  /// A column of a quantity with the name and unit of its traits; shows whole numbers if the values are shown as
  /// stored.
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

  static let memory: [Column<CaseRecord>] = [
    image, .text("kind", "File") { $0.kind }, route,
    .number("megapixels", "Picture", unit: "MP", decimals: 1) { read in
      read.figures.map { Double($0[.width]) * Double($0[.height]) / 1e6 }
    },
    quantity(.decodedBytes, title: "Decoded pixels", decimals: 1),
    quantity(.decodePeak, title: "Measured", decimals: 1),
    quantity(.predictedPeak, title: "Predicted", decimals: 1),
    .change("off", "Off by", decimals: 0) {
      guard let figures = $0.figures?.figures, let peak = figures[.decodePeak], peak > 0,
        let predicted = figures[.predictedPeak]
      else { return nil }
      return (Double(predicted) / Double(peak) - 1) * 100
    },
  ]
}

extension ReadScore {
  fileprivate var column: String { name.replacing(" ", with: "_") }
}

extension Figures {
  /// Bytes of the decoded pixels; if the read has no record of them, those of 8-bit red, green and blue.
  var pixelBytes: Int {
    figures[.decodedBytes]
      ?? self[.decodedWidth].multipliedReportingOverflow(by: self[.decodedHeight] * 3).partialValue
  }
}

// A read in tables: one row of decodes.csv.
extension CaseRecord {
  var cpu: ResultRow.Timing? {
    ResultRow.Timing(nanoseconds: (figures?.timing.decode ?? []).map(\.cpuNanoseconds))
  }

  var wall: Double? { (figures?.timing.decode ?? []).map { Double($0.wallNanoseconds) / 1e6 }.median }

  var codec: String { key.encodedAt == nil ? figures?.format ?? key.variant.codec : key.variant.codec }

  /// Kind of the file in words: `HEIC files`, `HEIC (preset=medium) at quality 0.8`.
  var kind: String {
    guard let encoding = key.encoding else {
      let found = figures.map { "\(CodecName.title(of: $0.format ?? "")) files" } ?? "files"
      return key.build.map { "\(found), read by \($0)" } ?? found
    }
    return "\(encoding.variant.title) at quality \(encoding.quality)"
  }

  /// `thumbnail, 320 px: 5.1 ms, SSIMULACRA2 37, aligned 68 of at most 87`.
  var caption: String {
    var text = "\(key.route.rawValue), \(key.wanted) px"
    if let cpu = cpu?.median { text += ": \(Numerals.fixed(cpu, decimals: cpu < 10 ? 1 : 0)) ms" }
    let words: [(String, ReadScore)] = [
      (", SSIMULACRA2", .plain), (", aligned", .aligned), ("; another good filter", .ceiling),
    ]
    for (name, score) in words {
      if let score = figures?[score] { text += "\(name) \(Numerals.fixed(score, decimals: 0))" }
    }
    return text
  }
}
