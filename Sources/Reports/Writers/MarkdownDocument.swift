import Store

/// Markdown built block by block, with one empty line between blocks.
struct MarkdownDocument {
  private var blocks: [String] = []

  var text: String { blocks.joined(separator: "\n") }

  mutating func heading(_ level: Int, _ text: String) {
    blocks.append(String(repeating: "#", count: level) + " " + text + "\n")
  }

  /// Adds a paragraph of one or more lines; `text` is already Markdown.
  mutating func paragraph(_ text: String) { blocks.append(text + "\n") }

  mutating func list(_ items: [String]) {
    guard !items.isEmpty else { return }
    blocks.append(items.map { "- \($0)\n" }.joined())
  }

  /// Adds a block quote with a bold first line and a list, which stands out on every code host.
  mutating func notice(_ title: String, _ items: [String]) {
    blocks.append("> **\(title)**\n>\n" + items.map { "> - \($0)\n" }.joined())
  }

  mutating func table<Row>(_ columns: [Column<Row>], _ rows: [Row]) {
    blocks.append(MarkdownWriter(columns).table(rows))
  }

  /// Adds a code block with a fence that its text cannot close.
  mutating func code(_ text: String, language: String = "") {
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    blocks.append("\(fence)\(language)\n\(text)\n\(fence)\n")
  }

  mutating func image(_ path: String, alternative: String) {
    blocks.append("![\(MarkdownText.escaped(alternative))](\(path))\n")
  }
}
