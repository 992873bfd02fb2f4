package import Model

/// Comparison at equal quality numbers: the naive answer, beside the right one.
package struct EqualQualityContrast: Sendable, Hashable {
  package var variant: CodecVariant
  package var reference: CodecVariant
  /// Shared points (image and quality).
  package var points: Int
  /// Total bytes of the variant over these points.
  package var bytes: Int
  package var referenceBytes: Int
  /// Mean headline score of the variant over the points with a score on both sides.
  package var score: Double?
  package var referenceScore: Double?
  /// The verdict's change in bytes at equal score, percent.
  package var matchedChangePercent: Double?
  /// Score of the verdict.
  package var matchedTarget: Double?

  package var changePercent: Double { (Double(bytes) / Double(referenceBytes) - 1) * 100 }
}
