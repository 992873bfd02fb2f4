import Analysis
import Metrics
import Model
import Reports
import Store

struct DecodeReport: Sendable {
  static let files = FeatureFiles(
    table: "decodes.csv", named: "decode", pictures: "decode-images", charts: DecodeCharts.names)

  let question: ReadQuestion
  let answers: [RouteAnswer]
  let breakEvens: [BreakEven]
  let charts: [ReportChart]
  let counts: (measured: Int, unsupported: Int, failed: Int)
  private let copies: Int
  /// A sentence on the reads that are in no figure because another processor timed them; nil without any.
  let unlike: String?
  let memory: (first: [CaseRecord], count: Int)
  let gainMaps: [CaseRecord]
  let forEachRow: @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void

  /// Reports reads in this order; reads of one name must be adjacent.
  init(_ records: [CaseRecord], _ question: ReadQuestion = ReadQuestion()) {
    var table = ReadTable(question)
    for record in records { table.add(record) }
    self.init(table) { body in try records.forEach(body) }
  }

  /// Reports the reads of a store; nil if there are none.
  init?(of store: ResultStore) throws {
    var table = ReadTable(try store.readQuestion())
    let processors = try store.readProcessors()
    try store.forEachRead { read in
      // Times of unlike processors make no median.
      if processors.count < 2 || read.timesOrigin?.processor == processors[0] { table.add(read) }
    }
    let counts = table.counts
    guard counts.measured + counts.unsupported + counts.failed > 0 else { return nil }
    self.init(table, processors: processors) { body in try store.forEachRead(body) }
  }

  private init(
    _ table: ReadTable, processors: [String] = [],
    _ forEachRow: @escaping @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void
  ) {
    (question, self.forEachRow) = (table.question, forEachRow)
    (answers, breakEvens) = (RouteAnswer.all(table), BreakEven.all(table))
    charts = DecodeCharts(table: table, answers: answers).all
    (counts, memory, gainMaps) = (table.counts, table.memory, table.gainMaps)
    copies = table.copies.count
    unlike =
      processors.count < 2
      ? nil
      : "Figures are of the reads that \(processors[0]) timed, which are the most; those of "
        + "\(processors.dropFirst().joined(separator: ", ")) stand in \(Self.files.csv) alone: times of unlike "
        + "processors are not pooled."
  }

  var copied: String? { Wording.copies(copies, "file") }

  func feature(with pictures: ReadPictureSet? = nil) -> FeatureReport {
    var report = FeatureReport(
      Self.files, title: "What it costs to get pixels out", anchor: "reads",
      answer: headline, blocks: blocks,
      table: StreamedTable(
        DecodeColumns.all(furtherMetrics: question.metrics ?? [])
          + (unlike == nil ? [] : [.code("processor", "Processor") { $0.timesOrigin?.processor }]),
        forEachRow: forEachRow))
    report.brief = brief
    report.inRun = ("Getting pixels out", "Reading", "Every read stands in `\(Self.files.csv)`.")
    report.json = [
      ("honest_score", .number(question.score)), ("bandwidth_mbits", .number(question.bandwidth)),
      ("answers", .array(answers.map(json))), ("time_to_pixels", .array(breakEvens.map(json))),
    ]
    if !gainMaps.isEmpty { report.json.append(("gain_maps", .array(gainMaps.map(GainMapReport.json)))) }
    if let pictures { report.makePictures = { try pictures.make(for: self, in: $0, name: $1) } }
    return report
  }
}

extension RowSource {
  /// The rows of a run, with the reports of what else was measured in its folder.
  init(_ store: ResultStore, run: StoredRun, pictures: ReadPictureSet? = nil) {
    self.init(store, run: run) { try DecodeReport(of: store).map { [$0.feature(with: pictures)] } ?? [] }
  }
}

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
    .number("cpu_min_ms", "CPU, least", unit: "ms", decimals: 2) { $0.cpu?.minimum },
    .number("cpu_mad_ms", "CPU, deviation", unit: "ms", decimals: 2) { $0.cpu?.deviation },
    .count("repeats", "Repeats") { $0.figures?.timing.decode.count },
    .code("timing", "Times taken") { $0.figures?.timing.conditions.rawValue },
    quantity(.decodePeak, "peak_mib", decimals: 2), quantity(.predictedPeak, decimals: 2),
    quantity(.touchedBytes),
  ]

  private static let image = Column<CaseRecord>.code("image", "Image") { $0.key.image.name }
  private static let route = Column<CaseRecord>.code("route", "Route") { $0.key.route.rawValue }

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

  static let memory: [Column<CaseRecord>] = [
    image, .text("kind", "File") { $0.kind }, route,
    .number("megapixels", "Picture", unit: "MP", decimals: 1) { read in
      read.figures.map { Double($0[.width]) * Double($0[.height]) / 1e6 }
    },
    quantity(.decodedBytes, title: "Pixels given", decimals: 1),
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
  /// Bytes of the decoded pixels; for reads without a record of it, as 8-bit red, green and blue.
  var pixelBytes: Int {
    figures[.decodedBytes]
      ?? self[.decodedWidth].multipliedReportingOverflow(by: self[.decodedHeight] * 3).partialValue
  }
}

// A read for tables: one row of decodes.csv.
extension CaseRecord {
  var cpu: ResultRow.Timing? {
    ResultRow.Timing(nanoseconds: (figures?.timing.decode ?? []).map(\.cpuNanoseconds))
  }

  var wall: Double? { (figures?.timing.decode ?? []).map { Double($0.wallNanoseconds) / 1e6 }.median }

  var codec: String { key.encodedAt == nil ? figures?.format ?? key.variant.codec : key.variant.codec }

  /// Kind of the file in words: `HEIC as found`, `HEIC (preset=medium) at quality 0.8`.
  var kind: String {
    guard let encoding = key.encoding else {
      let found = figures.map { "\(CodecName.title(of: $0.format ?? "")) as found" } ?? "files as found"
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

extension GatedTable {
  init(reads: [CaseRecord]) {
    // Those of every read have columns already.
    let further = MetricTraits.standard.filter { metric in
      ![MetricTraits.headline.id, "psnr-y"].contains(metric.id)
        && reads.contains { $0.figures?.scores[metric.id] != nil }
    }
    self.init(.reads, DecodeColumns.all(furtherMetrics: further), reads, record: \.self)
  }
}
