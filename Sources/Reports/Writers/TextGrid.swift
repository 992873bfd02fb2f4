import Store

/// A table of spelled cells, with the column widths that align them.
struct TextGrid {
  let headings: [String]
  let isTrailing: [Bool]
  let cells: [[String]]

  init<Row>(
    _ columns: [Column<Row>], rows: [Row], hidingEmptyColumns: Bool, spell: (Cell) -> String,
    heading: (String) -> String
  ) {
    let all = rows.map { row in columns.map { spell($0.cell(row)) } }
    let shown = columns.indices.filter { index in
      !hidingEmptyColumns || rows.isEmpty || all.contains { !$0[index].isEmpty }
    }
    headings = shown.map { heading(columns[$0].heading) }
    isTrailing = shown.map { columns[$0].alignment == .trailing }
    cells = all.map { line in shown.map { line[$0] } }
  }

  /// The widest spelling of each column, its heading included.
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

  /// The name, or the end of one that is too long, where file names differ.
  var shortened: String {
    // Bytes are counted first, because counting characters takes a walk.
    guard utf8.count > Self.longestName, count > Self.longestName else { return self }
    return "…" + suffix(Self.longestName - 1)
  }
}
