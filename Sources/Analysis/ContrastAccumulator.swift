import Model
import Store

/// Sums of a pair of variants at equal quality numbers.
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
