/// Tables for a terminal: columns two spaces apart, a header, no lines, nothing at the ends of lines.
package struct TextTableWriter<Row> {
  private let columns: [Column<Row>]

  /// Writes `columns` in this order.
  package init(_ columns: [Column<Row>]) { self.columns = columns }

  /// The table of `rows`, its last line ended; columns that are empty in every row are left out when
  /// `hidingEmptyColumns`. Control characters, which could drive the terminal, show as `?`.
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

  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(scalar == "\n" ? " " : isControl(scalar) ? "?" : scalar)
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
  }
}
