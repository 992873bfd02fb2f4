package import Model

/// What a target search found for one image and variant.
package struct TargetResult: Sendable, Hashable {
  /// The image.
  package var image: ImageIdentity
  /// Codec and settings.
  package var variant: CodecVariant
  /// The quality that reaches the target, or comes nearest; nil where nothing could be measured.
  package var quality: Quality?
  /// What was measured there.
  package var measurement: Measurement?
  /// Whether the target is reached at all.
  package var isReached: Bool
  /// Qualities that were looked at, those of earlier runs included.
  package var probes: Int
  /// Why the search could not be finished; nil where it was.
  package var failure: Failure?

  /// States a result.
  package init(
    image: ImageIdentity, variant: CodecVariant, quality: Quality? = nil, measurement: Measurement? = nil,
    isReached: Bool = false, probes: Int = 0, failure: Failure? = nil
  ) {
    self.image = image
    self.variant = variant
    self.quality = quality
    self.measurement = measurement
    self.isReached = isReached
    self.probes = probes
    self.failure = failure
  }
}
