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

/// A chain of encodes of one image with one variant.
package struct GenerationsRecord: Sendable, Hashable {
  package var image: String
  package var variant: CodecVariant
  /// The quality of every encode; nil if none reaches the requested score.
  package var quality: Quality?
  package var outcome: Outcome<[Generation]>

  package init(image: String, variant: CodecVariant, quality: Quality?, outcome: Outcome<[Generation]>) {
    (self.image, self.variant, self.quality, self.outcome) = (image, variant, quality, outcome)
  }
}
