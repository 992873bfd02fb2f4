package import Store

/// Tables of GitHub Flavored Markdown, aligned so that they also read well as plain text.
package struct MarkdownWriter<Row> {
  private let columns: [Column<Row>]

  package init(_ columns: [Column<Row>]) { self.columns = columns }

  /// The table of `rows` with a final line feed, without empty columns if `hidingEmptyColumns`.
  package func table(_ rows: [Row], hidingEmptyColumns: Bool = false) -> String {
    let grid = TextGrid(columns, rows: rows, hidingEmptyColumns: hidingEmptyColumns) { cell in
      Self.spelling(of: cell)
    } heading: { heading in
      MarkdownText.escaped(heading)
    }
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
