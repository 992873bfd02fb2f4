internal import Model
import Store

/// What a pair of variants gives at equal quality numbers, image by image.
struct ContrastAccumulator: Sendable {
  private var points = 0
  private var bytes = 0
  private var referenceBytes = 0
  private var score = Mean()
  private var referenceScore = Mean()

  /// Adds a quality that both have; the scores are those of the headline metric.
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

  /// The contrast, or nil where the two share no point.
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
