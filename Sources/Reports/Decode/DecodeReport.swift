package import Analysis
package import Model
package import Store

/// The report on reads: files of its own, and the sections of a run's reports.
package struct DecodeReport: Sendable {
  package static let csvName = "decodes.csv"
  package static let pageName = "decode.html"
  /// The folder of page pictures that are not embedded in the page.
  package static let picturesName = "decode-images"
  private static let markdownName = "decode.md"
  private static let jsonName = "decode.json"

  package let question: ReadQuestion
  let summary: DecodeSummary
  package let drawings: [ChartKind: String]
  /// Streams the reads in order, without keeping them.
  private let forEachRecord: @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void

  /// Reports reads in this order; reads of one name must be adjacent.
  package init(_ records: [CaseRecord], _ question: ReadQuestion = ReadQuestion()) {
    var reading = Reading(question)
    for record in records { reading.add(ReadRow(record)) }
    self.init(reading, question) { body in try records.forEach(body) }
  }

  /// Reports the reads of a store; nil if there are none.
  package init?(of store: ResultStore) throws {
    let question = try store.readQuestion()
    var reading = Reading(question)
    try store.forEachRead { reading.add(ReadRow($0)) }
    guard reading.table.count > 0 else { return nil }
    self.init(reading, question) { body in try store.forEachRead(body) }
  }

  private init(
    _ reading: Reading, _ question: ReadQuestion,
    _ forEachRecord: @escaping @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void
  ) {
    (self.question, self.forEachRecord) = (question, forEachRecord)
    summary = DecodeSummary(reading.table, reading.memory, bandwidth: question.bandwidth)
    drawings = Self.drawings(reading.table, summary.answers)
  }

  private struct Reading {
    var table: ReadTable
    var memory = MemoryRows()

    init(_ question: ReadQuestion) { table = ReadTable(honestScore: question.score) }

    mutating func add(_ row: ReadRow) {
      table.add(row)
      memory.add(row)
    }
  }

  package func forEachRow(_ body: (ReadRow) throws -> Void) throws {
    try forEachRecord { try body(ReadRow($0)) }
  }

  package var sentences: [String] { summary.sentences }
  /// The answers as a terminal shows them, without a final newline.
  package var terminalText: String { summary.terminalText }
  package var markdown: String { summary.markdown }

  package func writeCSV(to output: inout some TextOutputStream) throws {
    try write(CSVWriter(DecodeColumns.all), to: &output)
  }

  func write(_ writer: some RowWriter<ReadRow>, to output: inout some TextOutputStream) throws {
    var (writer, buffer) = (writer, TextBuffer())
    writer.begin(into: &buffer)
    try forEachRow { row in
      writer.append(row, into: &buffer)
      if buffer.isLarge { buffer.flush(to: &output) }
    }
    writer.end(into: &buffer)
    buffer.flush(to: &output)
  }

  private static func drawings(_ table: ReadTable, _ answers: [RouteAnswer]) -> [ChartKind: String] {
    var drawings: [ChartKind: String] = [:]
    drawings[.decodeTime] = DecodeTimeChart(table: table, answers: answers).svg
    drawings[.decodeMemory] = DecodeMemoryChart(table: table, answers: answers).svg
    return drawings
  }

  /// The reads whose pictures a page shows.
  /// - Parameters:
  ///   - count: the number of files of each kind; nil for all.
  ///   - builds: the library builds at hand.
  package func choices(count: Int?, builds: Set<String> = []) throws -> [ReadChoice] {
    var table = ReadTable(honestScore: question.score)
    try forEachRow { table.add($0) }
    return try ReadChoice.all(table, count: count, builds: builds, forEachRow: forEachRow)
  }

  /// Throws if something foreign occupies the name of a file to be written.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    let charts = [ChartKind.decodeTime, .decodeMemory].map(\.fileName)
    try files.refuseObstacles(
      among: [csvName, markdownName, jsonName, pageName, picturesName + "/1-1.png"] + charts)
  }

  /// Writes the files, replacing earlier ones. `pictures` makes the page's pictures; nil for none.
  package func write(
    to files: OwnedFolder, title: String? = nil, version: String,
    pictures: ((DecodeReport, OwnedFolder) throws -> [ReadPictures])? = nil
  ) throws {
    var csv = TableFile(Self.csvName, CSVWriter(DecodeColumns.all), in: files)
    var json = TableFile(Self.jsonName, JSONRowsWriter(DecodeColumns.all), in: files)
    try csv.begin()
    try json.begin()
    try forEachRow { row in
      try csv.append(row)
      try json.append(row)
    }
    try csv.finish()
    try json.finish(ending: "\n")
    for kind in [ChartKind.decodeTime, .decodeMemory] {
      if let drawing = drawings[kind] {
        try files.write(drawing, to: kind.fileName)
      } else {
        files.remove(kind.fileName)
      }
    }
    try files.write(markdown, to: Self.markdownName)
    files.removeFiles(in: Self.picturesName)
    let section = DecodeSection(report: self, pictures: try pictures?(self, files) ?? [])
    let page = try HTMLTemplate.plainPage(
      section.html, title: title ?? "What it costs to get pixels out", version: version,
      files: [Self.csvName, Self.markdownName])
    try files.write(page, to: Self.pageName)
  }
}
