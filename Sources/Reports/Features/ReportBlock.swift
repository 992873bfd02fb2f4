package import Store

/// A part of a feature's report, written the same way into every document that shows it.
package enum ReportBlock: Sendable {
  /// Text of unknown origin.
  case paragraph(String)
  case list([String])
  /// A heading of Markdown; a page has the captions of tables.
  case heading(String)
  case table(ReportTable)
  case charts([ReportChart])
  /// The place of pictures, which only pages show.
  case pictures([PictureGroup])
  /// Markdown as it stands; on no page.
  case markdown(String)
  indirect case inMarkdown([ReportBlock])
  indirect case onPage([ReportBlock])
}

package struct ReportTable: Sendable {
  package enum Fold: Sendable {
    case open
    case closed
  }

  let caption: String
  let fold: Fold?
  /// Text between the caption and the table of a page.
  let note: String?
  /// The columns that are repeated where a terminal is too narrow for all.
  private let keys: Int
  private let pageRows: Int
  private let columns: [Column<Int>]
  private let rows: [Int]

  package init<Row: Sendable>(
    _ caption: String, _ columns: [Column<Row>], _ rows: [Row], fold: Fold? = nil, note: String? = nil,
    keys: Int = 1, pageRows: Int = .max
  ) {
    (self.caption, self.fold, self.note, self.keys) = (caption, fold, note, keys)
    self.pageRows = pageRows
    self.rows = Array(rows.indices)
    self.columns = columns.map { column in
      Column<Int>(
        column.name, title: column.title, unit: column.unit,
        alignment: column.alignment == .leading ? .leading : .trailing
      ) { column.cell(rows[$0]) }
    }
  }

  func add(to document: inout MarkdownDocument) { document.table(columns, rows) }

  var json: JSONValue { .rows(columns, rows) }

  func text(_ width: Int) -> String { TextTableWriter(columns).table(rows, width: width, keys: keys) }

  var html: String {
    let table = HTMLTable(columns).table(Array(rows.prefix(pageRows)), caption: caption)
    guard let fold else { return table }
    let open = fold == .open ? " open" : ""
    let text = note.map { HTMLText.paragraph($0, class: "context") } ?? ""
    return "<details\(open)><summary>\(HTMLText.escaped(caption))</summary>\(text)\(table)</details>"
  }
}

package struct ReportChart: Sendable, Hashable {
  package var name: String
  package var title: String
  package var svg: String

  package init?(_ name: String, title: String, svg: String?) {
    guard let svg else { return nil }
    (self.name, self.title, self.svg) = (name, title, svg)
  }

  var fileName: String { name + ".svg" }
}

package struct PictureGroup: Sendable {
  /// A picture, at an address relative to the page or as a data URL.
  package struct Picture: Sendable {
    package var address, caption: String

    package init(address: String, caption: String) { (self.address, self.caption) = (address, caption) }
  }

  /// The name of the file whose pictures they are, and more of a title.
  package var name, title: String
  package var pictures: [Picture]

  package init(name: String, title: String, pictures: [Picture]) {
    (self.name, self.title, self.pictures) = (name, title, pictures)
  }

  var html: String {
    let figures = pictures.map { picture in
      "<figure><img src=\"\(HTMLText.escaped(picture.address))\" alt=\"\(HTMLText.escaped(name))\" "
        + "loading=\"lazy\"><figcaption>\(HTMLText.escaped(picture.caption))</figcaption></figure>"
    }
    return "<h3>\(HTMLText.escaped(title))</h3><div class=\"routes\">\(figures.joined())</div>"
  }
}

extension MarkdownDocument {
  mutating func add(_ blocks: [ReportBlock], level: Int, showsCharts: Bool = true) {
    for block in blocks {
      switch block {
      case .paragraph(let text): paragraph(MarkdownText.escaped(text))
      case .list(let items): list(items.map(MarkdownText.escaped))
      case .heading(let text): heading(level, text)
      case .table(let table): table.add(to: &self)
      case .charts(let charts):
        for chart in charts where showsCharts { image(chart.fileName, alternative: chart.title) }
      case .markdown(let text): paragraph(text)
      case .inMarkdown(let blocks): add(blocks, level: level, showsCharts: showsCharts)
      case .pictures, .onPage: break
      }
    }
  }
}

extension [ReportBlock] {
  var html: String {
    map { block in
      switch block {
      case .paragraph(let text): HTMLText.paragraph(text, class: "context")
      case .list(let items): "<ul>\(items.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>"
      case .table(let table): table.html
      case .charts(let charts):
        charts.map { "<figure>\(HTMLText.image(svg: $0.svg, title: $0.title))</figure>" }
          .joined(separator: "\n")
      case .pictures(let groups): groups.map(\.html).joined(separator: "\n")
      case .onPage(let blocks): blocks.html
      case .heading, .markdown, .inMarkdown: ""
      }
    }.filter { !$0.isEmpty }.joined(separator: "\n  ")
  }

  /// Text for a terminal, with no table wider than `width`.
  package func text(width: Int = .max) -> String {
    compactMap { block in
      switch block {
      case .paragraph(let text): text + "\n"
      case .list(let items): items.isEmpty ? nil : items.map { $0 + "\n" }.joined()
      case .table(let table): table.text(width)
      default: nil
      }
    }.joined(separator: "\n")
  }

  /// All drawings, each once.
  var charts: [ReportChart] {
    flatMap { block -> [ReportChart] in
      switch block {
      case .charts(let charts): charts
      case .onPage(let blocks): blocks.charts
      default: []
      }
    }
  }
}
