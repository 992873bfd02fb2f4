package import Store

/// Tables for a terminal: columns two spaces apart, a header, no rules, no spaces at the ends of lines.
package struct TextTableWriter<Row> {
  private let columns: [Column<Row>]

  package init(_ columns: [Column<Row>]) { self.columns = columns }

  /// The table; control characters, which could control the terminal, show as `?`.
  package func table(_ rows: [Row]) -> String {
    let grid = TextGrid(columns, rows: rows) { cell in
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

  /// The table split into parts within `width` where possible, each with the columns that tell rows apart.
  package func table(_ rows: [Row], width: Int) -> String {
    let whole = table(rows)
    guard Self.width(whole) > width else { return whole }
    let filled = columns.filter { column in rows.contains { !column.cell($0).display.isEmpty } }
    let keys = Self.keys(of: filled, rows)
    guard filled.count > keys else { return whole }
    var parts: [[Column<Row>]] = []
    for column in filled[keys...] {
      if let last = parts.last, Self.width(TextTableWriter(last + [column]).table(rows)) <= width {
        parts[parts.count - 1].append(column)
      } else {
        parts.append(Array(filled[..<keys]) + [column])
      }
    }
    return parts.map { TextTableWriter($0).table(rows) }.joined(separator: "\n")
  }

  private static func width(_ table: String) -> Int {
    table.split(separator: "\n").map { String($0).displayWidth }.max() ?? 0
  }

  /// The maximum number of columns repeated in each part of a split table.
  private static var mostKeys: Int { 3 }

  /// The number of leading columns in which no two rows are alike, at least one.
  private static func keys(of columns: [Column<Row>], _ rows: [Row]) -> Int {
    (1..<max(min(mostKeys, columns.count), 1)).first { count in
      Set(rows.map { row in columns[..<count].map { $0.cell(row).display } }).count == rows.count
    } ?? max(min(mostKeys - 1, columns.count - 1), 1)
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

struct TextGrid {
  let headings: [String]
  let isTrailing: [Bool]
  let cells: [[String]]

  init<Row>(
    _ columns: [Column<Row>], rows: [Row], spell: (Cell) -> String, heading: (String) -> String
  ) {
    let all = rows.map { row in columns.map { spell($0.cell(row)) } }
    let shown = columns.indices.filter { index in rows.isEmpty || all.contains { !$0[index].isEmpty } }
    headings = shown.map { heading(columns[$0].heading) }
    isTrailing = shown.map { columns[$0].alignment == .trailing }
    cells = all.map { line in shown.map { line[$0] } }
  }

  var widths: [Int] {
    headings.indices.map { index in
      cells.reduce(headings[index].displayWidth) { max($0, $1[index].displayWidth) }
    }
  }

  func pad(_ line: [String], to widths: [Int]) -> [String] {
    line.indices.map { line[$0].padded(to: widths[$0], trailing: isTrailing[$0]) }
  }
}

extension String {
  /// The longest name in a table for readers: paths may have thousands of characters.
  private static let longestName = 160

  /// The name, or the end of a name that is too long, because file names differ there.
  var shortened: String {
    // Bytes are counted first, because counting characters means walking the text.
    guard utf8.count > Self.longestName, count > Self.longestName else { return self }
    return "…" + suffix(Self.longestName - 1)
  }
}

extension StringProtocol {
  /// The text's columns in a fixed-width font: 2 for East Asian wide characters and emoji, 0 for combining marks,
  /// otherwise 1 (the ranges of Unicode's EastAsianWidth.txt, coarsely).
  package var displayWidth: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + Self.width(of: $1) }
  }

  package func padded(to width: Int, trailing: Bool) -> String {
    let spaces = String(repeating: " ", count: Swift.max(width - displayWidth, 0))
    return trailing ? spaces + self : self + spaces
  }

  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x200B...0x200F, 0x2060: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
