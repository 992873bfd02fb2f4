import Foundation

enum TerminalText {
  /// The narrowest terminal for which lines are wrapped.
  private static let narrowest = 40

  /// The columns of the terminal behind a descriptor; nil if there is none, or it does not tell.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Wraps sentences that are wider than the terminal, which would break words. Lines of tables, known by the spaces
  /// between their columns, stay as they are.
  static func wrapped(_ text: String, columns: Int) -> String {
    guard columns >= narrowest else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.count > columns && !isOfTable(line) ? wrapped(line, columns) : String(line)
    }.joined(separator: "\n")
  }

  private static func isOfTable(_ line: Substring) -> Bool { line.drop { $0 == " " }.contains("  ") }

  /// Indents further lines by two columns more than the first.
  private static func wrapped(_ line: Substring, _ columns: Int) -> String {
    let indent = String(line.prefix { $0 == " " }) + "  "
    var lines: [String] = []
    var current = ""
    for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0, current.count + 1 + word.count > columns, current.contains(where: { $0 != " " }) {
        lines.append(current)
        current = indent + word
      } else {
        current += (index == 0 ? "" : " ") + word
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }
}
