import Reports

/// The lines of a table as text, with the columns that two spaces part in all of them.
struct TerminalTable {
  /// Most columns repeated in each part of a folded table.
  private static let mostKeys = 3

  private let lines: [Substring]
  /// By line and column, as wide as the column and without the space behind it.
  private let fields: [[String]]
  private let widths: [Int]

  /// - Parameter lines: Lines that follow each other, the head first.
  init(_ lines: [Substring]) {
    self.lines = lines
    let cells = lines.map(Self.cells)
    let width = cells.map(\.count).max() ?? 0
    let isBlank = (0..<width).map { place in cells.allSatisfy { place >= $0.count || $0[place] == " " } }
    var columns: [Range<Int>] = []
    var place = 0
    while place < width {
      // A column begins with its first mark and ends before two spaces in all lines.
      guard let start = (place..<width).first(where: { !isBlank[$0] }) else { break }
      let end = (start..<width).first { isBlank[$0] && ($0 + 1 >= width || isBlank[$0 + 1]) } ?? width
      columns.append(start..<end)
      place = end
    }
    widths = columns.map(\.count)
    fields = cells.map { line in columns.map { line[$0.clamped(to: 0..<line.count)].joined() } }
  }

  /// The lines of as many parts as keep the table within the width, each with the columns that tell the rows apart.
  func folded(to width: Int) -> [String] {
    let keys = keys
    guard lines.count > 1, lines.contains(where: { $0.displayWidth > width }), widths.count > keys + 1 else {
      return lines.map(String.init)
    }
    var parts: [[Int]] = []
    for column in keys..<widths.count {
      let wider = (parts.last ?? []) + [column]
      let total = (Array(0..<keys) + wider).reduce(0) { $0 + widths[$1] + 2 } - 2
      if let last = parts.indices.last, total <= width { parts[last] = wider } else { parts.append([column]) }
    }
    return Array(
      parts.map { part in fields.map { Self.line($0, Array(0..<keys) + part, widths) } }.joined(separator: [
        ""
      ]))
  }

  /// The number of first columns in which no two rows are alike, at least one.
  private var keys: Int {
    (1..<max(min(Self.mostKeys, widths.count), 1)).first { count in
      let rows = fields.dropFirst().map { Array($0.prefix(count)) }
      return Set(rows).count == rows.count
    } ?? max(min(Self.mostKeys - 1, widths.count - 1), 1)
  }

  private static func line(_ fields: [String], _ columns: [Int], _ widths: [Int]) -> String {
    var text = columns.map { fields[$0].padded(to: widths[$0], trailing: false) }.joined(separator: "  ")
    while text.last == " " { text.removeLast() }
    return text
  }

  /// A line by places on the screen; a wide character takes two.
  private static func cells(_ line: Substring) -> [String] {
    line.reduce(into: []) { cells, character in
      switch String(character).displayWidth {
      case 0: if let last = cells.indices.last { cells[last].append(character) }
      case 1: cells.append(String(character))
      default: cells += [String(character), ""]
      }
    }
  }
}
