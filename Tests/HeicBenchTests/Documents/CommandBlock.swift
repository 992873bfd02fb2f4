import Foundation
import TestSupport

/// Command lines that people run one after the other in one folder, such as a fenced block of a document.
struct CommandBlock: Sendable {
  /// Where they come from: a file and line number, or the command whose help has them.
  let source: String
  /// The lines as written. A line continued with a backslash is one line.
  var lines: [String]
  /// The environment that they run in.
  var environment: [String: String] = [:]
  /// Whether it is code in a sentence or a table.
  var isWithinText = false

  /// The block of a text; nil if it has no command line.
  init?(_ source: String, text: some StringProtocol) {
    let lines = Self.logicalLines(text).filter { !Self.isSyntax($0) }
    guard !lines.isEmpty else { return nil }
    (self.source, self.lines) = (source, lines)
  }

  init(_ source: String, _ lines: [String]) { (self.source, self.lines) = (source, lines) }

  /// The lines that are neither empty nor only a comment, with continuation lines joined.
  private static func logicalLines(_ text: some StringProtocol) -> [String] {
    var lines: [String] = []
    var isOpen = false
    for line in text.split(separator: "\n") {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if isOpen {
        lines[lines.count - 1] += "\n" + line
      } else if !trimmed.isEmpty, !trimmed.hasPrefix("#") {
        lines.append(trimmed)
      } else {
        continue
      }
      isOpen = trimmed.hasSuffix("\\")
    }
    return lines
  }

  /// Whether a line has parts to fill in: an ellipsis, brackets around optional parts, bars between choices, or a word
  /// in capitals that is not a variable.
  static func isSyntax(_ line: String) -> Bool {
    let code = line.replacing(/\s#\s.*/, with: "")
    return code.contains("…") || code.contains(/\s\[[A-Z<]/) || code.contains(/[a-z]\|[a-z]/)
      || code.contains(/(^|[^\w$\{\/-])[A-Z]{2,}($|[^\w=])/)
  }

  /// Whether a line runs heicbench or a script of the project with an argument, or names one as the command of a
  /// variable. Without an argument it is only a name.
  static func runsProject(_ line: String) -> Bool {
    line.contains(
      /^(sudo|alias) |(^|[|;]\s*|[A-Z]=\S* )(heicbench |(\S*\/)?(scripts|Tests\/Drivers)\/\w\S* )/)
  }
}
