/// A file of a chain in which each is encoded from the decoded pixels of the one before.
package struct Generation: Sendable, Hashable, Codable {
  package var bytes: Int
  /// SHA-256 of the file, 64 hexadecimal digits.
  package var hash: String
  /// Scores of the decoded file against the original, by metric identifier.
  package var scores: [String: Double]

  package init(bytes: Int, hash: String, scores: [String: Double]) {
    (self.bytes, self.hash, self.scores) = (bytes, hash, scores)
  }
}

extension Figures {
  /// Figures of a chain at a quality, scored with these metrics.
  package init(chain: [Generation], at quality: Quality, metrics: [String]) {
    self.init(
      bytes: chain.first?.bytes ?? 0, detail: .generations(chain, quality: quality, metrics: metrics))
  }
}

extension CaseRecord {
  /// The files of a chain; empty unless it was measured.
  package var chain: [Generation] {
    if case .generations(let files, _, _) = figures?.detail { files } else { [] }
  }

  /// The quality of every encode of a chain; nil if none reaches the requested score.
  package var chainQuality: Quality? {
    if case .generations(_, let quality, _) = figures?.detail { quality } else { key.encodedAt }
  }

  /// The metrics that a chain was scored with.
  package var chainMetrics: [String] {
    if case .generations(_, _, let metrics) = figures?.detail { metrics } else { [] }
  }
}
