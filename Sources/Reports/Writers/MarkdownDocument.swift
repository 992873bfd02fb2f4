package import Store

/// Markdown built block by block, with one empty line between blocks.
package struct MarkdownDocument {
  private var blocks: [String] = []

  package init() {}

  /// The whole text with a final line feed.
  package var text: String { blocks.joined(separator: "\n") }

  /// Adds a heading; `text` is Markdown already.
  package mutating func heading(_ level: Int, _ text: String) {
    blocks.append(String(repeating: "#", count: level) + " " + text + "\n")
  }

  /// Adds a paragraph of one or more lines; `text` is Markdown already.
  package mutating func paragraph(_ text: String) { blocks.append(text + "\n") }

  /// Adds a bulleted list; the items are Markdown already.
  package mutating func list(_ items: [String]) {
    guard !items.isEmpty else { return }
    blocks.append(items.map { "- \($0)\n" }.joined())
  }

  /// Adds a quotation with a bold first line and a list, which stands out on every code host.
  package mutating func notice(_ title: String, _ items: [String]) {
    blocks.append("> **\(title)**\n>\n" + items.map { "> - \($0)\n" }.joined())
  }

  /// Adds a table without columns that are empty throughout.
  package mutating func table<Row>(_ columns: [Column<Row>], _ rows: [Row]) {
    blocks.append(MarkdownWriter(columns).table(rows, hidingEmptyColumns: true))
  }

  /// Adds a block of code with a fence that its text cannot end.
  package mutating func code(_ text: String, language: String = "") {
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    blocks.append("\(fence)\(language)\n\(text)\n\(fence)\n")
  }

  package mutating func image(_ path: String, alternative: String) {
    blocks.append("![\(MarkdownText.escaped(alternative))](\(path))\n")
  }
}
