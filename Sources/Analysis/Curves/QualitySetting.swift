package import Model

/// The quality to request from a codec for a score: the answer to “what do I set?”. Qualities are in hundredths, as
/// encoders accept them, rounded up.
package struct QualitySetting: Sendable, Hashable {
  /// The share of images that must reach the score unless another share is requested.
  package static let usualShare = 0.9

  /// The number of images, at least one, that makes up a share of `all`.
  package static func count(of all: Int, share: Double) -> Int {
    min(max(Int((share * Double(all) - 1e-9).rounded(.up)), 1), all)
  }

  package var variant: CodecVariant
  package var target: Double
  package var images: Int
  package var outOf: Int
  package var unreached = 0
  /// The lowest quality at which `usualShare` of the images reach the score, which is the one to set; nil if fewer
  /// reach it.
  package var quality: Double?
  /// The quality at which half of the images reach the score, 0 to 1; nil if fewer ever reach it, or points are too far
  /// apart.
  package var median: Double?
  package var lowest: Double
  package var highest: Double?
}
