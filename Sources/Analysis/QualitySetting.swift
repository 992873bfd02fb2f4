package import Model

/// Quality to request from a codec for a score: the answer to “what do I set?”.
///
/// Each image's quality is read from its curve, by the same rule as bytes at that score; if the curve does not tell,
/// the lowest sufficient measured quality is used. Qualities are in hundredths, as encoders take them, rounded up.
package struct QualitySetting: Sendable, Hashable {
  package var variant: CodecVariant
  package var target: Double
  package var images: Int
  package var outOf: Int
  package var unreached = 0
  /// Quality with the score for half of the images, 0 to 1; nil if fewer ever have it, or points are too far apart.
  package var median: Double?
  package var lowest: Double
  package var highest: Double?
}

extension QualitySetting {
  /// Returns nil unless at least one image's curve tells the quality.
  init?(_ variant: CodecVariant, target: Double, _ needed: NeededQualities, outOf: Int) {
    let count = needed.count(of: variant)
    guard count.interpolated > 0, let lowest = needed.quality(of: variant, share: 0) else { return nil }
    self.init(
      variant: variant, target: target, images: count.images, outOf: outOf, unreached: count.unreached,
      median: needed.isCoarse(variant, share: 0.5) ? nil : needed.quality(of: variant, share: 0.5),
      lowest: lowest, highest: needed.quality(of: variant, share: 1))
  }
}
