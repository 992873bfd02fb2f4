import Store

/// Markdown built block by block, with one empty line between blocks.
struct MarkdownDocument {
  private var blocks: [String] = []

  var text: String { blocks.joined(separator: "\n") }

  mutating func heading(_ level: Int, _ text: String) {
    blocks.append(String(repeating: "#", count: level) + " " + text + "\n")
  }

  /// Adds a paragraph of one or more lines; `text` is Markdown already.
  mutating func paragraph(_ text: String) { blocks.append(text + "\n") }

  mutating func list(_ items: [String]) {
    guard !items.isEmpty else { return }
    blocks.append(items.map { "- \($0)\n" }.joined())
  }

  /// Adds a quotation with a bold first line and a list, which stands out on every code host.
  mutating func notice(_ title: String, _ items: [String]) {
    blocks.append("> **\(title)**\n>\n" + items.map { "> - \($0)\n" }.joined())
  }

  mutating func table<Row>(_ columns: [Column<Row>], _ rows: [Row]) {
    blocks.append(MarkdownWriter(columns).table(rows))
  }

  /// Adds a block of code with a fence that its text cannot end.
  mutating func code(_ text: String, language: String = "") {
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    blocks.append("\(fence)\(language)\n\(text)\n\(fence)\n")
  }

  mutating func image(_ path: String, alternative: String) {
    blocks.append("![\(MarkdownText.escaped(alternative))](\(path))\n")
  }
}

/// Tables of GitHub Flavored Markdown, aligned so that they also read well as plain text.
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

/// Text that Markdown shows unchanged, on code hosts too (GitHub Flavored Markdown 0.29).
package enum MarkdownText {
  /// Prose of unknown origin: no character starts markup, a link, a mention or a table cell; line ends become spaces.
  static func escaped(_ text: String) -> String {
    var result = ""
    let scalars = text.unicodeScalars
    for (index, scalar) in zip(scalars.indices, scalars) {
      switch scalar {
      case "\n", "\r", "\t": result += " "
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // Code hosts look for mentions after rendering; a word joiner, which has no width, hides the name.
      case "@" where isLinked(scalars[..<index], scalars[index...].dropFirst()): result += "@&#8288;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "{", "}": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    // A scheme or `www.` would become a link without any markup.
    return result.replacing("://", with: ":&#8288;//").replacing("www.", with: "www&#8288;.")
  }

  /// True for a mention, which begins a word, and for an address, which has a dot behind: `HEIC@new` is neither.
  private static func isLinked(
    _ before: Substring.UnicodeScalarView, _ behind: Substring.UnicodeScalarView
  ) -> Bool {
    func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    guard before.last.map(isOfWord) == true else { return true }
    return behind.prefix { isOfWord($0) || "-_.".unicodeScalars.contains($0) }.split(separator: ".").count > 1
  }

  /// A name in a code span that its text cannot end; with `inTable`, pipes are escaped even there (GFM, section 4.10).
  package static func code(_ name: String, inTable: Bool = false) -> String {
    var text = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    guard !text.isEmpty else { return "" }
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let touchesFence = text.hasPrefix("`") || text.hasSuffix("`")
    // CommonMark strips one space from both ends of a code span, unless it is all spaces.
    let losesSpaces = text.hasPrefix(" ") && text.hasSuffix(" ") && text.contains { $0 != " " }
    if inTable { text = text.replacing("|", with: "\\|") }
    let padding = touchesFence || losesSpaces ? " " : ""
    return fence + padding + text + padding + fence
  }
}
