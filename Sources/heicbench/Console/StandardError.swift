import Foundation
import Model

/// Where everything goes that is no result: progress, notices and errors.
enum StandardError {
  /// Whether a person watches, so that lines may be drawn over.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// How many columns there are; 80 where nobody knows.
  static var columns: Int { TerminalText.columns(of: STDERR_FILENO) ?? 80 }

  /// Writes text as it is. Nothing can be done where that fails.
  static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes a line after the program's name. Nothing in it steers the terminal, whoever's text it quotes.
  static func notice(_ text: String) {
    let notice = "heicbench: \(PlainText.block(text))"
    write((isTerminal ? TerminalText.wrapped(notice, columns: columns) : notice) + "\n")
  }
}
