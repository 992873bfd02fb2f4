import Foundation
import Model

/// Standard error, for everything that is not a result: progress, notices and errors.
enum StandardError {
  /// True if a person watches, so that lines may be redrawn.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static var columns: Int { TerminalText.columns(of: STDERR_FILENO) ?? 80 }

  /// Writes text as it is; errors are ignored, since nothing can be done about them.
  static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Replaces the line of progress on a terminal.
  static func redraw(_ line: String = "", isQuiet: Bool = false) {
    if !isQuiet, isTerminal { write("\r\u{1B}[K" + line) }
  }

  /// Writes a line after the program's name. Text that it quotes cannot control the terminal.
  static func notice(_ text: String) {
    let notice = "heicbench: \(PlainText.block(text))"
    write((isTerminal ? TerminalText.wrapped(notice, columns: columns) : notice) + "\n")
  }
}
