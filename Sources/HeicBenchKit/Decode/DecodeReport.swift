import Analysis
import Metrics
import Model
import Reports
import Store

struct DecodeReport: Sendable {
  static let files = FeatureFiles(
    table: "decodes.csv", named: "decode", pictures: "decode-images", charts: DecodeCharts.names)

  let question: ReadScope
  let answers: [RouteAnswer]
  let breakEvens: [BreakEven]
  let charts: [ReportChart]
  let counts: (measured: Int, unsupported: Int, failed: Int)
  private let copies: Int
  /// A sentence about the reads that no figure includes because they were timed on another processor; nil if there are
  /// none.
  let unlike: String?
  let memory: (first: [CaseRecord], count: Int)
  let gainMaps: [CaseRecord]
  let forEachRow: @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void

  /// Reports reads in this order; reads with the same name must be adjacent.
  /// - Parameter processors: Those that timed the reads, the one with the most first.
  init(_ records: [CaseRecord], _ question: ReadScope = ReadScope(), processors: [String] = []) {
    var table = ReadTable(question)
    for record in records where Self.isPooled(record, processors) { table.add(record) }
    self.init(table, processors: processors) { body in try records.forEach(body) }
  }

  /// Reports the reads of a store; nil if there are none.
  init?(of store: ResultStore) throws {
    var table = ReadTable(try store.readScope())
    let processors = try store.readProcessors()
    try store.forEachRead { if Self.isPooled($0, processors) { table.add($0) } }
    let counts = table.counts
    guard counts.measured + counts.unsupported + counts.failed > 0 else { return nil }
    self.init(table, processors: processors) { body in try store.forEachRead(body) }
  }

  /// Times of different processors do not go into one median.
  private static func isPooled(_ read: CaseRecord, _ processors: [String]) -> Bool {
    processors.count < 2 || read.timesOrigin?.processor == processors[0]
  }

  private init(
    _ table: ReadTable, processors: [String],
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
      : "Figures cover only the reads timed on \(processors[0]), the largest group; those timed on "
        + "\(processors.dropFirst().joined(separator: ", ")) are only in \(Self.files.csv). Times from different "
        + "processors are not pooled."
  }

  var copied: String? { Wording.copies(copies, "file") }

  func feature(with pictures: ReadPictureSet? = nil) -> FeatureReport {
    var report = FeatureReport(
      Self.files, title: "Decoding cost", anchor: "reads",
      answer: headline, blocks: blocks,
      table: StreamedTable(
        DecodeColumns.all(furtherMetrics: question.metrics ?? [])
          + (unlike == nil ? [] : [.code("processor", "Processor") { $0.timesOrigin?.processor }]),
        forEachRow: forEachRow))
    report.brief = brief
    report.inRun = ("Decoding cost", "Reading", "`\(Self.files.csv)` lists every read.")
    report.json = [
      ("honest_score", .number(question.score)), ("bandwidth_mbits", .number(question.bandwidth)),
      ("answers", .array(answers.map(json))), ("time_to_pixels", .array(breakEvens.map(json))),
    ]
    if !gainMaps.isEmpty { report.json.append(("gain_maps", .array(gainMaps.map(GainMapReport.json)))) }
    if let pictures { report.makePictures = { try pictures.make(for: self, in: $0, name: $1) } }
    return report
  }
}
