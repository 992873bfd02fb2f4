/// What a measurement depends on, and so what it is filed under: sizes and scores are the same whenever all
/// of this is the same.
package struct PointKey: Sendable, Hashable, Codable {
  /// The source.
  package var image: ImageIdentity
  /// `Preparation.canonicalSpelling`.
  package var preparation: String
  /// Codec and settings.
  package var variant: CodecVariant
  /// Position on the quality axis.
  package var quality: Quality
  /// The versions of all libraries the codec stands on, as `canonicalSpelling` joins them.
  package var libraries: String

  /// Names a point.
  package init(
    image: ImageIdentity, preparation: String, variant: CodecVariant, quality: Quality, libraries: String
  ) {
    self.image = image
    self.preparation = preparation
    self.variant = variant
    self.quality = quality
    self.libraries = libraries
  }
  /// Hashes what tells the points of a run apart. All of it would take longer than finding a point does otherwise.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(image.name)
    hasher.combine(quality)
    hasher.combine(variant.codec)
    hasher.combine(variant.settings.count)
  }
}
