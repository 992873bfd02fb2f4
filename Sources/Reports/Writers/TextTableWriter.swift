package import Store

/// Tables for a terminal: columns two spaces apart, a header, no rules, no spaces at the ends of lines.
package struct TextTableWriter<Row> {
  private let columns: [Column<Row>]

  package init(_ columns: [Column<Row>]) { self.columns = columns }

  /// The table; control characters, which could drive the terminal, show as `?`.
  package func table(_ rows: [Row], hidingEmptyColumns: Bool = true) -> String {
    let grid = TextGrid(columns, rows: rows, hidingEmptyColumns: hidingEmptyColumns) { cell in
      if case .code(let name) = cell { return Self.printable(name.shortened) }
      return Self.printable(cell.display)
    } heading: {
      $0
    }
    let widths = grid.widths
    return ([grid.headings] + grid.cells).map { line in
      var text = grid.pad(line, to: widths).joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }

  /// The table in as many parts, each with the first `keys` columns, as keep it within `width` if the columns do.
  package func table(_ rows: [Row], width: Int, keys: Int) -> String {
    let filled = columns.filter { column in rows.contains { !column.cell($0).display.isEmpty } }
    guard filled.count > keys else { return table(rows) }
    var parts: [[Column<Row>]] = []
    for column in filled[keys...] {
      if let last = parts.last, TextTableWriter(last + [column]).width(rows) <= width {
        parts[parts.count - 1].append(column)
      } else {
        parts.append(Array(filled[..<keys]) + [column])
      }
    }
    return parts.map { TextTableWriter($0).table(rows) }.joined(separator: "\n")
  }

  private func width(_ rows: [Row]) -> Int {
    table(rows).split(separator: "\n").map { String($0).displayWidth }.max() ?? 0
  }

  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    let shown = text.unicodeScalars.map { $0 == "\n" ? " " : isControl($0) ? "?" : $0 }
    return String(String.UnicodeScalarView(shown))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
  }
}
