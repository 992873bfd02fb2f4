import Model

/// A CSV file that is unusable as results.
package struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
  package let path: String
  /// The line of the error, counted from 1; nil if it concerns the whole file.
  package let line: Int?
  /// The end of a sentence.
  package let reason: String

  package init(path: String, line: Int? = nil, reason: String) {
    self.path = path
    self.line = line
    self.reason = PlainText.line(reason)
  }

  package var description: String {
    "“\(path)”\(line.map { ", line \($0)" } ?? ""): \(reason)."
  }
}
