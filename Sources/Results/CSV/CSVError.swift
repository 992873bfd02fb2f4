import BenchModel

/// A CSV file that cannot be used as results.
public struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line where the trouble begins, counted from 1 as editors do; nil where it is the file as a whole.
  public let line: Int?
  /// What is wrong, as the end of a sentence.
  public let reason: String

  /// Describes what is wrong and where.
  public init(path: String, line: Int? = nil, reason: String) {
    self.path = path
    self.line = line
    self.reason = PlainText.line(reason)
  }

  /// File, line and reason.
  public var description: String {
    "“\(path)”\(line.map { ", line \($0)" } ?? ""): \(reason)."
  }
}
