/// What was asked of reads besides the reads themselves: reports that are made again go by it.
package struct ReadQuestion: Sendable, Hashable, Codable {
  /// The SSIMULACRA 2 from which a route counts as honest unless another is asked for.
  package static let honestScore = 70.0

  /// The least SSIMULACRA 2 against the whole picture at which a route counts as honest.
  package var score: Double
  /// The connection that files come over, Mbit/s; nil leaves their way out.
  package var bandwidth: Double?
  /// Where the files were found, printable.
  package var roots: [String]

  /// Asks for answers; what cannot be asked for becomes what is asked for by default.
  package init(score: Double = honestScore, bandwidth: Double? = nil, roots: [String] = []) {
    self.score = score > 0 && score <= 100 ? score : Self.honestScore
    self.bandwidth = bandwidth.flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
    self.roots = roots
  }
}
