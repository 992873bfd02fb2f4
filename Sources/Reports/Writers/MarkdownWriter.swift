import Store

/// Tables in GitHub Flavored Markdown, aligned so that they also read well as plain text.
struct MarkdownWriter<Row> {
  private let columns: [Column<Row>]

  init(_ columns: [Column<Row>]) { self.columns = columns }

  func table(_ rows: [Row]) -> String {
    let grid = TextGrid(columns, rows: rows, spell: Self.spelling, heading: MarkdownText.escaped)
    let widths = grid.widths.map { max($0, 3) }
    let rule = zip(widths, grid.isTrailing).map { width, isTrailing in
      String(repeating: "-", count: isTrailing ? width - 1 : width) + (isTrailing ? ":" : "")
    }
    let lines = [grid.headings, rule] + grid.cells
    return lines.map { line in
      "| " + grid.pad(line, to: widths).joined(separator: " | ") + " |\n"
    }.joined()
  }

  private static func spelling(of cell: Cell) -> String {
    switch cell {
    case .code(let name): MarkdownText.code(name.shortened, inTable: true)
    case .text(let text): MarkdownText.escaped(text)
    default: cell.display
    }
  }
}
