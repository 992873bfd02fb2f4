package import Store

extension OwnedFolder {
  fileprivate func stream(to name: String, _ write: (inout AtomicFile) throws -> Void) throws {
    var file = try file(name)
    try write(&file)
    try file.commit()
  }

  /// Writes a drawing, or removes an earlier run's drawing if this run has none: its figures would match no other
  /// report.
  func write(_ drawing: String?, orRemove name: String) throws(OutputError) {
    guard let drawing else { return remove(name) }
    try write(drawing, to: name)
  }
}

/// The report of a feature, written as its own files and as sections of a run's reports.
package struct FeatureReport: Sendable {
  package var files: FeatureFiles
  package var title: String
  package var anchor: String
  /// The first sentence of every document, and the page's heading.
  package var answer: String
  /// Heading, link and last line in a run's reports; nil for a standalone report.
  package var inRun: (heading: String, link: String, ending: String)?
  /// Blocks below the answer, on a terminal and in documents.
  package var brief: [ReportBlock] = []
  package var blocks: [ReportBlock]
  package var table: StreamedTable
  /// Members of the JSON between the answer and the table; the table's name is the anchor.
  package var json: [(String, JSONValue)] = []
  package var makePictures: (@Sendable (_ files: OwnedFolder, _ folder: String) throws -> [PictureGroup])?

  package init(
    _ files: FeatureFiles, title: String, anchor: String, answer: String, blocks: [ReportBlock],
    table: StreamedTable
  ) {
    (self.files, self.title, self.anchor) = (files, title, anchor)
    (self.answer, self.blocks, self.table) = (answer, blocks, table)
  }

  package var charts: [ReportChart] { blocks.charts }

  package func text(width: Int = .max) -> String { ([.paragraph(answer)] + brief).text(width: width) }

  package var markdown: String {
    var document = MarkdownDocument()
    document.heading(1, title)
    document.add(self, level: 2)
    return document.text
  }

  package func write(to folder: OwnedFolder, title: String? = nil, version: String) throws {
    try folder.stream(to: files.csv) { try table.write(.csv, to: &$0) }
    try folder.stream(to: files.json) {
      try writeJSON(to: &$0)
      $0.write("\n")
    }
    try writeCharts(to: folder)
    try folder.write(markdown, to: files.markdown)
    if let pictures = files.pictures { folder.removeFiles(in: pictures) }
    let html = try HTMLTemplate.plainPage(
      try section(in: folder, pictures: files.pictures ?? "", isAlone: true), title: title ?? self.title,
      links: blocks.links, answer: answer, version: version, files: [files.csv, files.markdown])
    try folder.write(html, to: files.page)
  }

  /// Writes the table as Parquet, named like its CSV file. Returns the name.
  package func writeParquet(to folder: OwnedFolder) throws -> String {
    let name = files.csv.asParquet
    try folder.stream(to: name) { try table.write(.parquet, to: &$0) }
    return name
  }

  package func writeJSON(to output: inout some TextOutputStream) throws {
    var buffer = TextBuffer()
    buffer.write("{")
    for (name, value) in [("answer", .text(answer))] + json {
      buffer.write("\n  \"\(name)\": ")
      value.write(into: &buffer, indent: 1)
      buffer.write(",")
    }
    buffer.write("\n  \"\(anchor)\": ")
    buffer.flush(to: &output)
    try table.write(.json, to: &output)
    output.write("\n}")
  }

  func writeCharts(to folder: OwnedFolder) throws(OutputError) {
    let charts = charts
    for name in files.charts {
      try folder.write(charts.first { $0.fileName == name }?.svg, orRemove: name)
    }
  }

  /// - Parameter isAlone: True on the feature's own page, below the answer.
  func section(in folder: OwnedFolder, pictures: String, isAlone: Bool = false) throws -> String {
    let groups = try makePictures?(folder, pictures) ?? []
    let blocks = blocks.map { block -> ReportBlock in
      if case .pictures = block { .pictures(groups) } else { block }
    }
    let heading = (isAlone ? nil : inRun).map {
      "\n  <h2>\(HTMLText.escaped($0.heading))</h2>\n  <p><strong>\(HTMLText.prose(answer))</strong></p>"
    }
    return "<section id=\"\(anchor)\">\(heading ?? "")\n  \(blocks.html(level: isAlone ? 2 : 3))\n</section>"
  }
}

package struct FeatureFiles: Sendable {
  package let csv, markdown, json, page: String
  package let pictures: String?
  package let charts: [String]

  /// Takes the table's name, the common prefix of the other files, and the drawings' names without `.svg`.
  package init(table: String, named name: String, pictures: String? = nil, charts: [String] = []) {
    (csv, markdown, json, page) = (table, name + ".md", name + ".json", name + ".html")
    self.pictures = pictures
    self.charts = charts.map { $0 + ".svg" }
  }

  package func refuseObstacles(in folder: OwnedFolder) throws(OutputError) {
    let picture = pictures.map { $0 + "/1-1.png" }
    try folder.refuseObstacles(among: [csv, markdown, json, page] + [picture].compactMap { $0 } + charts)
  }
}

/// A table of any length; its rows are read one after another and not kept.
package struct StreamedTable: Sendable {
  package enum Syntax: Sendable {
    case csv
    case json
    case parquet
  }

  private let body: @Sendable (_ syntax: Syntax, _ flush: (inout TextBuffer) -> Void) throws -> Void

  package init<Row>(
    _ columns: [Column<Row>],
    forEachRow: @escaping @Sendable (_ body: (Row) throws -> Void) throws -> Void
  ) {
    body = { syntax, flush in
      var writer = RowWriter(syntax, columns)
      var buffer = TextBuffer()
      writer.begin(into: &buffer)
      try forEachRow { row in
        writer.append(row, into: &buffer)
        if buffer.isLarge { flush(&buffer) }
      }
      writer.end(into: &buffer)
      flush(&buffer)
    }
  }

  package init<Row: Sendable>(_ columns: [Column<Row>], _ rows: [Row]) {
    self.init(columns) { body in try rows.forEach(body) }
  }

  package func write(_ syntax: Syntax, to output: inout some TextOutputStream) throws {
    try body(syntax) { $0.flush(to: &output) }
  }
}

extension RowWriter {
  /// Creates a table in a syntax; JSON is indented by one level.
  init(_ syntax: StreamedTable.Syntax, _ columns: [Column<Row>]) {
    switch syntax {
    case .csv: self.init(csv: columns)
    case .json: self.init(json: columns, level: 1)
    case .parquet: self.init(parquet: columns)
    }
  }
}
