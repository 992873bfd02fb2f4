/// A program that scores a pair of image files: the original and the one that went through a codec.
package struct ExternalMetric: Sendable, Hashable, Codable {
  /// The name that its scores are filed under.
  package var id: String
  /// The program and its arguments. `{reference}` and `{distorted}` stand for the paths of two PNG files.
  package var words: [String]

  /// Names a command by its words, which no shell sees.
  package init(id: String, words: [String]) {
    self.id = id
    self.words = words
  }
}
