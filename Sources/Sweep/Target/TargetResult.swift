public import BenchModel

/// What a target search found for one image and variant.
public struct TargetResult: Sendable, Hashable {
  /// The image.
  public var image: ImageIdentity
  /// Codec and settings.
  public var variant: CodecVariant
  /// The quality that reaches the target, or comes nearest; nil where nothing could be measured.
  public var quality: Quality?
  /// What was measured there.
  public var measurement: Measurement?
  /// Whether the target is reached at all.
  public var isReached: Bool
  /// Qualities that were looked at, those of earlier runs included.
  public var probes: Int
  /// Why the search could not be finished; nil where it was.
  public var failure: Failure?

  /// States a result.
  public init(
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
