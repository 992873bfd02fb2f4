package import Model

/// Quality to request from a codec for a score: the answer to “what do I set?”. Qualities are in hundredths, as encoders
/// take them, rounded up.
package struct QualitySetting: Sendable, Hashable {
  /// The share of images that must have the score unless another is requested.
  package static let usualShare = 0.9

  /// The number of images, at least one, that makes a share of `all`.
  package static func count(of all: Int, share: Double) -> Int {
    min(max(Int((share * Double(all) - 1e-9).rounded(.up)), 1), all)
  }

  package var variant: CodecVariant
  package var target: Double
  package var images: Int
  package var outOf: Int
  package var unreached = 0
  /// The lowest quality with the score for `usualShare` of the images, which is the one to set; nil if fewer have it.
  package var quality: Double?
  /// Quality with the score for half of the images, 0 to 1; nil if fewer ever have it, or points are too far apart.
  package var median: Double?
  package var lowest: Double
  package var highest: Double?
}
