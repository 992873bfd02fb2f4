/// A file of a chain in which each was made from the pixels that the one before decodes to.
package struct Generation: Sendable, Hashable, Codable {
  /// Size of the file, bytes.
  package var bytes: Int
  /// SHA-256 of the file, 64 hexadecimal digits.
  package var hash: String
  /// Scores of what it decodes to against the original, by metric identifier.
  package var scores: [String: Double]

  /// States what came of an encode.
  package init(bytes: Int, hash: String, scores: [String: Double]) {
    (self.bytes, self.hash, self.scores) = (bytes, hash, scores)
  }
}

/// A chain of encodes of one image with one variant.
package struct GenerationsRecord: Sendable, Hashable {
  /// The image's name.
  package var image: String
  /// Codec and settings.
  package var variant: CodecVariant
  /// The quality of every encode; nil where none reaches the score that was asked for.
  package var quality: Quality?
  /// What came of it.
  package var outcome: Outcome<[Generation]>

  /// States a chain.
  package init(image: String, variant: CodecVariant, quality: Quality?, outcome: Outcome<[Generation]>) {
    (self.image, self.variant, self.quality, self.outcome) = (image, variant, quality, outcome)
  }
}
