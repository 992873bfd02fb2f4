import Foundation
import HeicBenchKit
import Model
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

  /// Writes Markdown; a terminal gets it without the marks that keep its text from becoming a mention or a link.
  static func write(markdown text: String) {
    write(isatty(STDOUT_FILENO) == 1 ? text.replacing("&#8288;", with: "") : text)
  }

  /// Reason why something could not be written; nil if all was.
  static var failure: HeicBenchError? { firstFailure.withLock { $0 } }
}
