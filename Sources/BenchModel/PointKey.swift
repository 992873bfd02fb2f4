/// What a measurement depends on, and so what it is filed under: sizes and scores are the same whenever all
/// of this is the same.
public struct PointKey: Sendable, Hashable, Codable {
  /// The source.
  public var image: ImageIdentity
  /// `Preparation.canonicalSpelling`.
  public var preparation: String
  /// Codec and settings.
  public var variant: CodecVariant
  /// Position on the quality axis.
  public var quality: Quality
  /// The versions of all libraries the codec stands on, as `canonicalSpelling` joins them.
  public var libraries: String

  /// Names a point.
  public init(
    image: ImageIdentity, preparation: String, variant: CodecVariant, quality: Quality, libraries: String
  ) {
    self.image = image
    self.preparation = preparation
    self.variant = variant
    self.quality = quality
    self.libraries = libraries
  }
}
