import Foundation
import HeicBenchKit
import Synchronization

/// Results on standard output.
///
/// A stream cannot throw in the middle of a text, so the first error is kept for the end of the program: a file cut
/// short by a full disk must not pass for a result.
struct StandardOutput: TextOutputStream {
  private static let firstFailure = Mutex<HeicBenchError?>(nil)

  /// Writes text that cannot control a terminal. A reader that has gone away, as in `| head`, is not an error.
  static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(PlainText.block(text).utf8))
    } catch {
      let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      guard reason.domain != NSPOSIXErrorDomain || reason.code != Int(EPIPE) else { return }
      let text =
        "standard output cannot be written: \(reason.localizedFailureReason ?? reason.localizedDescription)"
      firstFailure.withLock { $0 = $0 ?? HeicBenchError(.resultsUnusable, text) }
    }
  }

  static func write(lines: [String]) { tell(lines.map { $0 + "\n" }.joined()) }

  func write(_ text: String) { Self.write(text) }

  /// Writes an answer for people, wrapped between words on a terminal.
  static func tell(_ text: String) {
    write(TerminalText.columns(of: STDOUT_FILENO).map { TerminalText.wrapped(text, columns: $0) } ?? text)
  }

  /// Columns of the terminal that shows the answers; unlimited elsewhere.
  static var width: Int { TerminalText.columns(of: STDOUT_FILENO) ?? .max }

  /// Writes Markdown; a terminal gets it without the marks that keep its text from becoming a mention or a link.
  static func write(markdown text: String) {
    write(isatty(STDOUT_FILENO) == 1 ? text.replacing("&#8288;", with: "") : text)
  }

  static var failure: HeicBenchError? { firstFailure.withLock { $0 } }
}

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

enum TerminalText {
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
