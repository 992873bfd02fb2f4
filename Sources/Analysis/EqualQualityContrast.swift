package import Model
import Store

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

struct ContrastAccumulator: Sendable {
  private var points = 0
  private var bytes = 0
  private var referenceBytes = 0
  private var score = Mean()
  private var referenceScore = Mean()

  /// Adds a quality shared by both; the scores are those of the headline metric.
  mutating func add(
    bytes: Int, referenceBytes: Int, score: Double?, referenceScore: Double?
  ) {
    points += 1
    self.bytes = saturatingSum(self.bytes, bytes)
    self.referenceBytes = saturatingSum(self.referenceBytes, referenceBytes)
    guard let score, let referenceScore, score.isFinite, referenceScore.isFinite else { return }
    self.score.add(score)
    self.referenceScore.add(referenceScore)
  }

  /// Returns the contrast, or nil if the two share no point.
  func contrast(
    _ variant: CodecVariant, _ reference: CodecVariant, verdict: Verdict?
  ) -> EqualQualityContrast? {
    guard points > 0, referenceBytes > 0 else { return nil }
    return EqualQualityContrast(
      variant: variant, reference: reference, points: points, bytes: bytes, referenceBytes: referenceBytes,
      score: score.value, referenceScore: referenceScore.value, matchedChangePercent: verdict?.bytes?.mean,
      matchedTarget: verdict?.target)
  }
}
