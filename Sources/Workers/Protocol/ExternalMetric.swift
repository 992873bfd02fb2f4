/// A program that scores a pair of image files: the original and its coded version.
package struct ExternalMetric: Sendable, Hashable, Codable {
  /// The name of its scores.
  package var id: String
  /// The program and its arguments. `{reference}` and `{distorted}` stand for the paths of two PNG files. No shell is
  /// involved.
  package var words: [String]

  package init(id: String, words: [String]) {
    self.id = id
    self.words = words
  }
}
