import Foundation

/// Results on standard output.
struct StandardOutput: TextOutputStream {
  /// Writes text. A reader that has gone away is no error: that is how `| head` ends.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  func write(_ text: String) { Self.write(text) }
}
