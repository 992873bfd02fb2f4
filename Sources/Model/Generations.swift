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

/// What becomes of a chain of encodes.
package enum GenerationChainOutcome: Sendable, Hashable, Codable {
  /// The generations, the first one first.
  case measured([Generation])
  /// The codec cannot do this image with these settings, and says why.
  case unsupported(String)
  /// It should have worked.
  case failed(Failure)
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
  package var outcome: GenerationChainOutcome

  /// States a chain.
  package init(image: String, variant: CodecVariant, quality: Quality?, outcome: GenerationChainOutcome) {
    (self.image, self.variant, self.quality, self.outcome) = (image, variant, quality, outcome)
  }
}
