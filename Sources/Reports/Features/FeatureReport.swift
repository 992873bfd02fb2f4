package import Store

extension OwnedFolder {
  /// Writes a drawing, or removes one of an earlier run that this one cannot fill: its figures would appear nowhere
  /// else.
  func write(_ drawing: String?, orRemove name: String) throws(OutputError) {
    guard let drawing else { return remove(name) }
    try write(drawing, to: name)
  }
}

/// The report of a feature, as a value that becomes files of its own and sections of a run's reports.
package struct FeatureReport: Sendable {
  package var files: FeatureFiles
  package var title: String
  package var anchor: String
  /// Heading, link and last line in a run's reports; nil for a report that stands by itself.
  package var inRun: (heading: String, link: String, ending: String)?
  package var sentences: [String]
  package var blocks: [ReportBlock]
  package var table: StreamedTable
  /// Members of a run's JSON before the table, which has the same name as the object.
  package var json: [(String, JSONValue)] = []
  package var makePictures: (@Sendable (_ files: OwnedFolder, _ folder: String) throws -> [PictureGroup])?

  package init(
    _ files: FeatureFiles, title: String, anchor: String, sentences: [String], blocks: [ReportBlock],
    table: StreamedTable
  ) {
    (self.files, self.title, self.anchor) = (files, title, anchor)
    (self.sentences, self.blocks, self.table) = (sentences, blocks, table)
  }

  package var charts: [ReportChart] { blocks.charts }

  package var markdown: String {
    var document = MarkdownDocument()
    document.heading(1, title)
    document.add(blocks, level: 2)
    return document.text
  }

  package func write(to folder: OwnedFolder, title: String? = nil, version: String) throws {
    try table.write(csv: files.csv, json: files.json, to: folder)
    try writeCharts(to: folder)
    try folder.write(markdown, to: files.markdown)
    guard let page = files.page else { return }
    if let pictures = files.pictures { folder.removeFiles(in: pictures) }
    let html = try HTMLTemplate.plainPage(
      try section(in: folder, pictures: files.pictures ?? ""), title: title ?? self.title, version: version,
      files: [files.csv, files.markdown])
    try folder.write(html, to: page)
  }

  func writeCharts(to folder: OwnedFolder) throws(OutputError) {
    let charts = charts
    for name in files.charts {
      try folder.write(charts.first { $0.fileName == name }?.svg, orRemove: name)
    }
  }

  func section(in folder: OwnedFolder, pictures: String) throws -> String {
    let groups = try makePictures?(folder, pictures) ?? []
    let blocks = blocks.map { block -> ReportBlock in
      if case .pictures = block { .pictures(groups) } else { block }
    }
    let heading = inRun.map { "\n  <h2>\(HTMLText.escaped($0.heading))</h2>" } ?? ""
    return "<section id=\"\(anchor)\">\(heading)\n  \(blocks.html)\n</section>"
  }
}

package struct FeatureFiles: Sendable {
  package let csv, markdown: String
  package let json, page: String?
  package let pictures: String?
  package let charts: [String]

  /// Names the table, the other files' common beginning, and the drawings without `.svg`.
  package init(
    table: String, named name: String, hasPage: Bool = true, pictures: String? = nil, charts: [String] = []
  ) {
    (csv, markdown, self.pictures) = (table, name + ".md", pictures)
    (json, page) = hasPage ? (name + ".json", name + ".html") : (nil, nil)
    self.charts = charts.map { $0 + ".svg" }
  }

  package func refuseObstacles(in folder: OwnedFolder) throws(OutputError) {
    let picture = pictures.map { $0 + "/1-1.png" }
    try folder.refuseObstacles(among: [csv, markdown, json, page, picture].compactMap { $0 } + charts)
  }
}

/// A table of any length, whose rows are read one after another and not kept.
package struct StreamedTable: Sendable {
  package enum Syntax: Sendable {
    case csv
    case json
  }

  private let body:
    @Sendable (
      _ syntaxes: [Syntax], _ level: Int, _ flush: (Int, inout TextBuffer) throws -> Void
    ) throws -> Void

  package init<Row>(
    _ columns: [Column<Row>],
    forEachRow: @escaping @Sendable (_ body: (Row) throws -> Void) throws -> Void
  ) {
    body = { syntaxes, level, flush in
      var writers = syntaxes.map { syntax in
        syntax == .csv ? RowWriter(csv: columns) : RowWriter(json: columns, level: level)
      }
      var buffers = writers.map { _ in TextBuffer() }
      for index in writers.indices { writers[index].begin(into: &buffers[index]) }
      try forEachRow { row in
        for index in writers.indices {
          writers[index].append(row, into: &buffers[index])
          if buffers[index].isLarge { try flush(index, &buffers[index]) }
        }
      }
      for index in writers.indices {
        writers[index].end(into: &buffers[index])
        try flush(index, &buffers[index])
      }
    }
  }

  package init<Row: Sendable>(_ columns: [Column<Row>], _ rows: [Row]) {
    self.init(columns) { body in try rows.forEach(body) }
  }

  /// Writes the table to a stream; `level` is the depth of a JSON array.
  package func write(_ syntax: Syntax, level: Int = 0, to output: inout some TextOutputStream) throws {
    try body([syntax], level) { _, buffer in buffer.flush(to: &output) }
  }

  /// Writes the table's files in one pass over its rows.
  func write(csv: String, json: String?, to folder: OwnedFolder) throws {
    var outputs = try [csv, json].compactMap { $0 }.map { try folder.file($0) }
    try body(json == nil ? [.csv] : [.csv, .json], 0) { $1.flush(to: &outputs[$0]) }
    if json != nil { outputs[1].write("\n") }
    for output in outputs { try output.commit() }
  }
}
