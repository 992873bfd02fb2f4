package import Model
package import Workers

/// A user's own metric: a program that prints a score for a pair of image files.
public struct MetricCommand: Sendable, Hashable {
  /// The name of its scores: lower-case letters, digits, `-` and `_`, a letter first.
  public var name: String
  /// The program and its arguments; `{reference}` and `{distorted}` stand for the paths of two PNG files.
  public var words: [String]
  /// True if larger scores are better; nil if unknown.
  public var higherIsBetter: Bool?

  /// Creates a metric from a program.
  public init(name: String, words: [String], higherIsBetter: Bool? = nil) {
    self.name = name
    self.words = words
    self.higherIsBetter = higherIsBetter
  }

  package var metric: ExternalMetric { ExternalMetric(id: name, words: words) }

  /// Traits of the scores; higher is assumed to be better if that is unknown.
  package var traits: MetricTraits {
    let column = name.map { $0 == "-" ? "_" : String($0) }.joined()
    var traits = MetricTraits(
      id: name, column: column, title: name, higherIsBetter: higherIsBetter ?? true, decimals: 4)
    traits.isDirectionAssumed = higherIsBetter == nil ? true : nil
    return traits
  }
}
