/// The parameters of a read report, kept so that it can be made again.
package struct ReadQuestion: Sendable, Hashable, Codable {
  /// The default of `score`.
  package static let honestScore = 70.0

  /// The least SSIMULACRA 2 against the whole picture at which a route counts as honest.
  package var score: Double
  /// Bandwidth for fetching files, Mbit/s; nil leaves out transfer time.
  package var bandwidth: Double?
  /// The roots of the files, printable.
  package var roots: [String]

  /// Creates a question; values out of range become the defaults.
  package init(score: Double = honestScore, bandwidth: Double? = nil, roots: [String] = []) {
    self.score = score > 0 && score <= 100 ? score : Self.honestScore
    self.bandwidth = bandwidth.flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
    self.roots = roots
  }
}
