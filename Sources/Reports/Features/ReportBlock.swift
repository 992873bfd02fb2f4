package import Analysis
package import Store

/// A part of a feature's report, written the same way in every document that shows it.
package enum ReportBlock: Sendable {
  /// The answers, bold in Markdown.
  case answers([String])
  /// Text of unknown origin.
  case paragraph(String)
  /// A remark in a style of its own, only on a page.
  case aside(String, AsideStyle)
  /// Cautions to read before relying on the rest.
  case notes([String])
  case list([String])
  case heading(String)
  /// A command line by itself; not on the page.
  case command(String)
  case table(ReportTable)
  case charts([ReportChart])
  /// Large figures, only on a page.
  case figures([ReportFigure])
  /// Pictures, only on a page.
  case pictures([PictureGroup])
  /// Literal Markdown; not on the page.
  case markdown(String)
  /// The section of a feature in a run's Markdown. On pages it is elsewhere, with its files.
  indirect case feature(FeatureReport)
  indirect case inMarkdown([ReportBlock])
  indirect case onPage([ReportBlock])

  package enum AsideStyle: String, Sendable { case scale, contrast }

  package static func answer(_ text: String) -> ReportBlock { .answers([text]) }
}

/// A large figure on a page, with its meaning.
package struct ReportFigure: Sendable {
  package enum Direction: String, Sendable {
    case less, more, weak
    case plain = ""
  }

  let figure, note: String
  let direction: Direction

  init(_ figure: String, note: String, _ direction: Direction) {
    (self.figure, self.note, self.direction) = (figure, note, direction)
  }

  var html: String {
    "<li><b class=\"\(direction.rawValue)\">\(HTMLText.prose(figure))</b><span>\(HTMLText.prose(note))</span></li>"
  }
}

package struct ReportTable: Sendable {
  package enum Fold: Sendable {
    case open
    case closed
  }

  let caption: String
  let fold: Fold?
  /// Text between the caption and the table on a page; the footnotes if nil.
  private let note: String?
  /// Sentences below the table.
  private let footnotes: [String]
  private let pageRows: Int
  private let columns: [Column<Int>]
  private let rows: [Int]

  package init<Row: Sendable>(
    _ caption: String, _ columns: [Column<Row>], _ rows: [Row], fold: Fold? = nil, note: String? = nil,
    footnotes: [String] = [], pageRows: Int = .max
  ) {
    (self.caption, self.fold, self.note, self.footnotes) = (caption, fold, note, footnotes)
    self.pageRows = pageRows
    self.rows = Array(rows.indices)
    self.columns = columns.map { column in
      Column<Int>(
        column.name, title: column.title, unit: column.unit,
        alignment: column.alignment == .leading ? .leading : .trailing
      ) { column.cell(rows[$0]) }
    }
  }

  func add(to document: inout MarkdownDocument) {
    document.table(columns, rows)
    for note in footnotes { document.paragraph(MarkdownText.escaped(note)) }
  }

  var json: JSONValue { .rows(columns, rows) }

  func text(_ width: Int) -> String {
    TextTableWriter(columns).table(rows, width: width) + footnotes.map { $0 + "\n" }.joined()
  }

  /// The table below a heading, without repeating the heading.
  func html(below heading: String? = nil) -> String {
    let isTitled = caption == heading
    let table = HTMLTable(columns).table(Array(rows.prefix(pageRows)), caption: caption, isShown: !isTitled)
    guard let fold else { return table }
    let open = fold == .open ? " open" : ""
    let (shown, all) = (Numerals.grouped(pageRows), Numerals.grouped(rows.count))
    let cut = rows.count > pageRows ? "The first \(shown) of \(all) rows; summary.md has them all." : ""
    let note = [note ?? footnotes.joined(separator: " "), cut].filter { !$0.isEmpty }.joined(separator: " ")
    let text = note.isEmpty ? "" : HTMLText.paragraph(note, class: "context")
    return
      "<details\(open)><summary>\(isTitled ? "Table" : HTMLText.escaped(caption))</summary>\(text)\(table)</details>"
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

  package struct Point {
    package let line: String
    package let x, y: Double
    let interval: ConfidenceInterval?
    let radius: Double
    let tip: String

    package init(
      line: String, x: Double, y: Double, interval: ConfidenceInterval? = nil, radius: Double = 4, tip: String
    ) {
      (self.line, self.x, self.y, self.interval) = (line, x, y, interval)
      (self.radius, self.tip) = (radius, tip)
    }
  }

  /// A line chart with lines in the order of their first points; nil without two positions on the horizontal axis.
  /// - Parameters:
  /// - isCounted: True if positions on the horizontal axis are whole numbers, each with a mark if there is room.
  /// - fromZero: True if a linear vertical axis begins at zero.
  package init?(
    _ name: String, title: String, _ points: [Point],
    x across: (title: String, spacing: ChartScale.Spacing, margin: Double),
    y up: (title: String, spacing: ChartScale.Spacing, margin: Double), isSigned: Bool = false,
    isCounted: Bool = false, fromZero: Bool = true, description: (_ lines: Int) -> String
  ) {
    var lines: [String] = []
    for point in points where !lines.contains(point.line) { lines.append(point.line) }
    let styles = SeriesStyle.all(of: lines)
    let ends = points.flatMap { [$0.y] + ($0.interval.map { [$0.lower, $0.upper] } ?? []) }
    guard Set(points.map(\.x)).count > 1,
      let x = ChartScale(across.spacing, points.map(\.x), margin: across.margin),
      let y = ChartScale(up.spacing, up.spacing == .linear && fromZero ? ends + [0] : ends, margin: up.margin)
    else { return nil }
    let frame = ChartFrame(
      name: name, title: title, x: .init(scale: x, title: across.title, hidesTicks: isCounted),
      y: .init(scale: y, title: up.title, isSigned: isSigned),
      series: Array(zip(styles, lines)))
    let svg = frame.drawing(description: description(lines.count)) { canvas in
      for (style, line) in zip(styles, lines) {
        let own = points.filter { $0.line == line }.sorted { $0.x < $1.x }
        canvas.polyline(own.map { frame.position($0.x, $0.y) }, class: ChartStyle.lineClass(style))
        for point in own {
          if let interval = point.interval {
            canvas.line(
              frame.position(point.x, interval.lower), frame.position(point.x, interval.upper),
              class: "hb-bar \(style.colourClass)")
          }
          canvas.marker(style, at: frame.position(point.x, point.y), radius: point.radius, tip: point.tip)
        }
      }
    } annotations: { canvas in
      var end = -Double.infinity
      for place in isCounted ? Set(points.map(\.x)).sorted() : [] {
        let foot = frame.position(place, y.domain.lowerBound)
        guard foot.x - end >= 34 else { continue }
        end = foot.x
        canvas.text(
          Numerals.short(place), at: .init(x: foot.x, y: foot.y + 18), anchor: .middle, class: "hb-soft")
      }
    }
    self.init(name, title: title, svg: svg)
  }
}

package struct PictureGroup: Sendable {
  /// A picture, at an address relative to the page or as a data URL.
  package struct Picture: Sendable {
    package var address, caption: String

    package init(address: String, caption: String) { (self.address, self.caption) = (address, caption) }
  }

  /// The name of the source file, and an addition to the title.
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
  /// Adds the answer in bold and the blocks after it.
  mutating func add(_ report: FeatureReport, level: Int, showsCharts: Bool = true) {
    add([.answer(report.answer)] + report.blocks, level: level, showsCharts: showsCharts)
  }

  mutating func add(_ blocks: [ReportBlock], level: Int, showsCharts: Bool = true) {
    for block in blocks {
      switch block {
      case .answers(let answers):
        let answers = answers.map { "**\(MarkdownText.escaped($0))**" }
        if answers.count == 1 { paragraph(answers[0]) } else { list(answers) }
      case .command(let line): code(line, language: "sh")
      case .paragraph(let text): paragraph(MarkdownText.escaped(text))
      case .list(let items): list(items.map(MarkdownText.escaped))
      case .heading(let text): heading(level, text)
      case .table(let table): table.add(to: &self)
      case .charts(let charts):
        for chart in charts where showsCharts { image(chart.fileName, alternative: chart.title) }
      case .markdown(let text): paragraph(text)
      case .notes(let notes):
        if !notes.isEmpty { notice("Read with care", notes.map(MarkdownText.escaped)) }
      case .feature(let report):
        heading(level, report.inRun?.heading ?? report.title)
        add(report, level: level + 1, showsCharts: showsCharts)
        if let ending = report.inRun?.ending { paragraph(ending) }
      case .inMarkdown(let blocks): add(blocks, level: level, showsCharts: showsCharts)
      case .pictures, .figures, .aside, .onPage: break
      }
    }
  }
}

extension [ReportBlock] {
  /// Links to the headings, for a standalone page.
  var links: String {
    let links = compactMap { block -> String? in
      guard case .heading(let text) = block else { return nil }
      return "<a href=\"#\(HTMLText.anchor(text))\">\(HTMLText.escaped(text))</a>"
    }
    return links.isEmpty ? "" : "<nav aria-label=\"Sections\">\(links.joined(separator: " "))</nav>"
  }

  func html(level: Int) -> String {
    var heading: String?
    return map { block in
      switch block {
      case .answers(let answers):
        return answers.map { HTMLText.paragraph($0, class: "answer") }.joined(separator: "\n")
      case .paragraph(let text): return HTMLText.paragraph(text, class: "context")
      case .aside(let text, let style): return HTMLText.paragraph(text, class: style.rawValue)
      case .notes(let notes):
        return notes.map { HTMLText.paragraph($0, class: "warning") }.joined(separator: "\n")
      case .figures(let figures): return "<ul class=\"figures\">\(figures.map(\.html).joined())</ul>"
      case .list(let items):
        return items.isEmpty ? "" : "<ul>\(items.map { "<li>\(HTMLText.prose($0))</li>" }.joined())</ul>"
      case .table(let table): return table.html(below: heading)
      case .charts(let charts):
        return charts.map {
          "<figure class=\"chart\" tabindex=\"0\">\(HTMLText.image(svg: $0.svg, title: $0.title))</figure>"
        }
        .joined(separator: "\n")
      case .pictures(let groups): return groups.map(\.html).joined(separator: "\n")
      case .onPage(let blocks): return blocks.html(level: level)
      case .heading(let text):
        heading = text
        return "<h\(level) id=\"\(HTMLText.anchor(text))\">\(HTMLText.escaped(text))</h\(level)>"
      case .command, .markdown, .inMarkdown, .feature: return ""
      }
    }.filter { !$0.isEmpty }.joined(separator: "\n  ")
  }

  package func text(width: Int = .max) -> String {
    compactMap { block in
      switch block {
      case .paragraph(let text), .heading(let text): text + "\n"
      case .command(let line): "  \(line)\n"
      case .answers(let items), .list(let items): items.isEmpty ? nil : items.map { $0 + "\n" }.joined()
      case .notes(let notes): notes.isEmpty ? nil : notes.map { "note: \($0)\n" }.joined()
      case .table(let table): table.text(width)
      default: nil
      }
    }.joined(separator: "\n")
  }

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
