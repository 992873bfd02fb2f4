package import Model

/// What comparing at equal quality numbers would have said: the naive answer, beside the right one.
package struct EqualQualityContrast: Sendable, Hashable {
  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// Points (image and quality) that both have.
  package var points: Int
  /// Total bytes of the variant over these points.
  package var bytes: Int
  /// Total bytes of the reference over these points.
  package var referenceBytes: Int
  /// Mean headline score of the variant over the points where both have one.
  package var score: Double?
  /// Mean headline score of the reference over the same points.
  package var referenceScore: Double?
  /// The change in bytes at equal score that the verdict gives, percent.
  package var matchedChangePercent: Double?
  /// The score at which the verdict gives it.
  package var matchedTarget: Double?

  /// States a contrast.
  package init(
    variant: CodecVariant, reference: CodecVariant, points: Int, bytes: Int, referenceBytes: Int,
    score: Double?, referenceScore: Double?, matchedChangePercent: Double?, matchedTarget: Double?
  ) {
    self.variant = variant
    self.reference = reference
    self.points = points
    self.bytes = bytes
    self.referenceBytes = referenceBytes
    self.score = score
    self.referenceScore = referenceScore
    self.matchedChangePercent = matchedChangePercent
    self.matchedTarget = matchedTarget
  }

  /// The change of the total in percent at equal quality numbers.
  package var changePercent: Double { (Double(bytes) / Double(referenceBytes) - 1) * 100 }
}
