import CodecKit
import Foundation
import HeicBenchKit
import Reports
import Synchronization

/// Results on standard output.
///
/// A stream cannot throw in the middle of a text, so the first error is kept until the program ends: a file truncated
/// by a full disk must not pass for a result.
struct StandardOutput: TextOutputStream {
  private static let firstFailure = Mutex<HeicBenchError?>(nil)

  /// Writes text that cannot control a terminal. A reader that has gone away, as in `| head`, is not an error.
  static func write(_ text: String) { writeBytes(PlainText.block(text)) }

  private static func writeBytes(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
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

  /// Writes an answer for people: on a terminal wrapped between words, with its first sentence in bold.
  static func tell(_ text: String) {
    guard let columns = TerminalText.columns(of: STDOUT_FILENO) else { return write(text) }
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = lines.count > 1 ? "\n" + TerminalText.wrapped(String(lines[1]), columns: columns) : ""
    let first = PlainText.block(TerminalText.wrapped(String(lines.first ?? ""), columns: columns))
    let isStyled = TerminalText.hasStyles && !first.isEmpty
    writeBytes(isStyled ? TerminalText.bold + first + TerminalText.plain : first)
    write(rest)
  }

  /// Columns of the terminal that shows the answers; unlimited elsewhere.
  static var width: Int { TerminalText.columns(of: STDOUT_FILENO) ?? .max }

  /// Writes text fitted to the width of a terminal, or another form of it to a file or a pipe.
  static func tell(
    _ text: (_ width: Int) throws -> String, elsewhere other: () throws -> String
  ) rethrows {
    if let columns = TerminalText.columns(of: STDOUT_FILENO) {
      tell(try text(columns))
    } else {
      write(try other())
    }
  }

  static var failure: HeicBenchError? { firstFailure.withLock { $0 } }
}

/// Standard error, for everything that is not a result: progress, notices and errors.
enum StandardError {
  /// True if a person is watching, so lines may be redrawn.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static var columns: Int { TerminalText.columns(of: STDERR_FILENO) ?? 80 }

  /// Writes text as it is; errors are ignored, since nothing can be done about them.
  static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Replaces the progress line on a terminal, cut to its width: a wrapped line could not be replaced.
  static func redraw(_ line: String = "", isQuiet: Bool = false) {
    if !isQuiet, isTerminal { write(clearing + TerminalText.cut(line, columns: columns)) }
  }

  /// Writes a line after the program's name, replacing the progress line. Text that it quotes cannot control the
  /// terminal.
  static func notice(_ text: String) {
    let notice = "heicbench: \(PlainText.block(text))"
    write((isTerminal ? clearing + TerminalText.wrapped(notice, columns: columns) : notice) + "\n")
  }

  /// Says that a codec is measured once although it is named twice, perhaps with one of its defaults spelled out.
  static func noticeRepeated(_ codecs: [CodecVariant]) {
    guard Set(codecs).count < codecs.count else { return }
    notice("codecs named twice are measured once; a setting that is the default makes no difference")
  }

  private static let clearing = "\r\u{1B}[K"
}

enum TerminalText {
  static let (bold, plain) = ("\u{1B}[1m", "\u{1B}[0m")

  /// False if NO_COLOR is set (no-color.org) or the terminal has no colours.
  static var hasStyles: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
  }

  private static let narrowest = 40

  /// The columns of the terminal behind a descriptor; nil if there is none, or its width is unknown.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// The part of a line that fits one row: some terminals wrap a line that fills their width.
  static func cut(_ line: String, columns: Int) -> String {
    var line = line
    while line.displayWidth > max(columns - 1, 1) { line.removeLast() }
    return line
  }

  /// Wraps lines that are wider than the terminal, which would break words. Tables already fit its width.
  static func wrapped(_ text: String, columns: Int) -> String {
    guard columns >= narrowest else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.displayWidth > columns ? wrapped(line, columns) : String(line)
    }.joined(separator: "\n")
  }

  /// Indents continuation lines by two columns more than the first.
  private static func wrapped(_ line: Substring, _ columns: Int) -> String {
    let indent = String(line.prefix { $0 == " " }) + "  "
    var lines: [String] = []
    var current = ""
    for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0, current.displayWidth + 1 + word.displayWidth > columns,
        current.contains(where: { $0 != " " })
      {
        lines.append(current)
        current = indent + word
      } else {
        current += (index == 0 ? "" : " ") + word
      }
    }
    return (lines + [current]).joined(separator: "\n")
  }
}
