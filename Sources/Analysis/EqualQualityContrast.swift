package import Model

/// Comparison at equal quality numbers: the naive answer, beside the right one.
package struct EqualQualityContrast: Sendable, Hashable {
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var points = 0
  package var bytes = 0
  package var referenceBytes = 0
  /// Headline scores of both over the points with a score on both sides.
  var scores = Mean()
  var referenceScores = Mean()
  package var matchedChangePercent: Double?
  package var matchedTarget: Double?

  /// Mean headline score of the variant over the points with a score on both sides.
  package var score: Double? { scores.value }
  package var referenceScore: Double? { referenceScores.value }
  package var changePercent: Double { (Double(bytes) / Double(referenceBytes) - 1) * 100 }

  mutating func add(_ sample: PointSample, _ reference: PointSample, headline: Int?) {
    points += 1
    bytes = saturatingSum(bytes, sample.bytes)
    referenceBytes = saturatingSum(referenceBytes, reference.bytes)
    guard let headline, let score = sample.scores[headline], let other = reference.scores[headline],
      score.isFinite, other.isFinite
    else { return }
    scores.add(score)
    referenceScores.add(other)
  }
}
