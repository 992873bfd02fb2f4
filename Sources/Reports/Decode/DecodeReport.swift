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
  /// The reads, in their order.
  package let rows: [ReadRow]
  let summary: DecodeSummary

  /// Reports reads in this order.
  package init(_ records: [ReadRecord], _ question: ReadQuestion = ReadQuestion()) {
    self.question = question
    rows = records.map(ReadRow.init)
    summary = DecodeSummary(rows, at: question.score, bandwidth: question.bandwidth)
  }

  /// Reports the reads of a store; nil where there are none.
  package init?(of store: ResultStore) throws(StoreError) {
    let records = try store.reads()
    guard !records.isEmpty else { return nil }
    self.init(records, try store.readQuestion())
  }

  /// The answers, one sentence each.
  package var sentences: [String] { summary.sentences }
  /// The answers as a terminal shows them, without the last line's end.
  package var terminalText: String { summary.terminalText }
  /// The text of decode.md.
  package var markdown: String { summary.markdown }
  /// The text of decodes.csv.
  package var csv: String { CSVWriter(DecodeColumns.all).text(rows) }

  /// The charts as SVG text.
  package var drawings: [ChartKind: String] {
    var drawings: [ChartKind: String] = [:]
    drawings[.decodeTime] = DecodeTimeChart(rows: rows, answers: summary.answers).svg
    drawings[.decodeMemory] = DecodeMemoryChart(rows: rows, answers: summary.answers).svg
    return drawings
  }

  /// The reads whose pictures a page shows.
  /// - Parameters:
  ///   - count: how many files of each kind; nil for all.
  ///   - builds: the builds of the libraries that are at hand.
  package func choices(count: Int?, builds: Set<String> = []) -> [ReadChoice] {
    ReadChoice.all(rows, count: count, builds: builds)
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
    try files.write(csv, to: Self.csvName)
    try files.write(JSONRowsWriter(DecodeColumns.all).text(rows) + "\n", to: Self.jsonName)
    let drawings = drawings
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
