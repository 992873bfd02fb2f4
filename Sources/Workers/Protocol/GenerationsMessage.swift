package import Model

/// Asks for a chain of encodes of the open image: encode, decode, encode what came back.
package struct GenerationChainRequest: Codable, Sendable {
  /// Codec and settings.
  package var variant: CodecVariant
  /// The quality of every encode.
  package var quality: Quality
  /// How many encodes.
  package var count: Int

  /// Asks for a chain.
  package init(variant: CodecVariant, quality: Quality, count: Int) {
    (self.variant, self.quality, self.count) = (variant, quality, count)
  }
}

extension ReplyCheck {
  func checked(_ chain: [Generation], _ request: GenerationChainRequest) throws(Lie) -> [Generation] {
    try require(chain.count == request.count, "\(chain.count) generations")
    for generation in chain {
      try require(Bound.bytes.contains(generation.bytes), "the encoded size")
      try check(hash: generation.hash)
      try check(generation.scores, asked: setup.metrics)
    }
    return chain
  }
}
