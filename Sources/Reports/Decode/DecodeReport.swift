package import Analysis
package import Model
package import Store

/// What reading costs: the files that say so by themselves, and the sections of a run's reports.
package struct DecodeReport: Sendable {
  /// The table of all reads.
  package static let csvName = "decodes.csv"
  /// The page.
  package static let pageName = "decode.html"
  /// The folder with the page's pictures, where they are not in the page itself.
  package static let picturesName = "decode-images"
  private static let markdownName = "decode.md"
  private static let jsonName = "decode.json"

  /// What was asked besides the reads.
  package let question: ReadQuestion
  let summary: DecodeSummary
  /// The charts as SVG text.
  package let drawings: [ChartKind: String]
  /// Hands out the reads in their order; they are not kept.
  private let forEachRecord: @Sendable (_ body: (ReadRecord) throws -> Void) throws -> Void

  /// Reports reads in this order, in which those of a name stand together.
  package init(_ records: [ReadRecord], _ question: ReadQuestion = ReadQuestion()) {
    var reading = Reading(question)
    for record in records { reading.add(ReadRow(record)) }
    self.init(reading, question) { body in try records.forEach(body) }
  }

  /// Reports the reads of a store; nil where there are none.
  package init?(of store: ResultStore) throws {
    let question = try store.readQuestion()
    var reading = Reading(question)
    try store.forEachRead { reading.add(ReadRow($0)) }
    guard reading.table.count > 0 else { return nil }
    self.init(reading, question) { body in try store.forEachRead(body) }
  }

  private init(
    _ reading: Reading, _ question: ReadQuestion,
    _ forEachRecord: @escaping @Sendable (_ body: (ReadRecord) throws -> Void) throws -> Void
  ) {
    (self.question, self.forEachRecord) = (question, forEachRecord)
    summary = DecodeSummary(reading.table, reading.memory, bandwidth: question.bandwidth)
    drawings = Self.drawings(reading.table, summary.answers)
  }

  /// What is kept of reads that stream by.
  private struct Reading {
    var table: ReadTable
    var memory = MemoryRows()

    init(_ question: ReadQuestion) { table = ReadTable(honestScore: question.score) }

    mutating func add(_ row: ReadRow) {
      table.add(row)
      memory.add(row)
    }
  }

  /// Hands out the reads, in their order.
  package func forEachRow(_ body: (ReadRow) throws -> Void) throws {
    try forEachRecord { try body(ReadRow($0)) }
  }

  /// The answers, one sentence each.
  package var sentences: [String] { summary.sentences }
  /// The answers as a terminal shows them, without the last line's end.
  package var terminalText: String { summary.terminalText }
  /// The text of decode.md.
  package var markdown: String { summary.markdown }

  /// Writes what decodes.csv has.
  package func writeCSV(to output: inout some TextOutputStream) throws {
    try write(CSVWriter(DecodeColumns.all), to: &output)
  }

  /// Writes all reads row by row.
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
  ///   - count: how many files of each kind; nil for all.
  ///   - builds: the builds of the libraries that are at hand.
  package func choices(count: Int?, builds: Set<String> = []) throws -> [ReadChoice] {
    var table = ReadTable(honestScore: question.score)
    try forEachRow { table.add($0) }
    return try ReadChoice.all(table, count: count, builds: builds, forEachRow: forEachRow)
  }

  /// Throws where a file could not be written because something that is not ours has its name.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    let charts = [ChartKind.decodeTime, .decodeMemory].map(\.fileName)
    try files.refuseObstacles(
      among: [csvName, markdownName, jsonName, pageName, picturesName + "/1-1.png"] + charts)
  }

  /// Writes the files, in the place of those of before.
  /// - Parameters:
  ///   - title: of the page.
  ///   - pictures: makes the page's pictures; nil for none.
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
