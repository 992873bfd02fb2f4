import Model

/// A CSV file that cannot be used as results.
package struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The line where the trouble begins, counted from 1 as editors do; nil where it is the file as a whole.
  package let line: Int?
  /// What is wrong, as the end of a sentence.
  package let reason: String

  /// Describes what is wrong and where.
  package init(path: String, line: Int? = nil, reason: String) {
    self.path = path
    self.line = line
    self.reason = PlainText.line(reason)
  }

  /// File, line and reason.
  package var description: String {
    "“\(path)”\(line.map { ", line \($0)" } ?? ""): \(reason)."
  }
}
