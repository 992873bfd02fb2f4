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
    _ variant: CodecVariant, _ reference: CodecVariant, headline: MetricTraits?, verdict: Verdict?
  ) -> EqualQualityContrast? {
    guard points > 0, referenceBytes > 0 else { return nil }
    var contrast = EqualQualityContrast(
      variant: variant, reference: reference, points: points, bytes: bytes, referenceBytes: referenceBytes,
      score: score.value, referenceScore: referenceScore.value,
      matchedChangePercent: verdict?.bytes?.mean, explanation: "")
    contrast.explanation = Self.explanation(contrast, headline: headline, target: verdict?.target)
    return contrast
  }

  private static func explanation(
    _ contrast: EqualQualityContrast, headline: MetricTraits?, target: Double?
  ) -> String {
    let (name, other) = (contrast.variant.title, contrast.reference.title)
    var text =
      "At equal quality numbers \(name) takes \(change(contrast.changePercent)) than \(other) in total "
      + "(\(counted(contrast.points, "point")))"
    if let headline, let score = contrast.score, let otherScore = contrast.referenceScore {
      text +=
        ", but the numbers do not mean the same: the mean \(headline.title) is \(fixed(score, headline.decimals)) with \(name) "
        + "and \(fixed(otherScore, headline.decimals)) with \(other)."
    } else {
      text += ", but each codec numbers its qualities in its own way."
    }
    if let headline, let target, let matched = contrast.matchedChangePercent {
      text += " At \(headline.phrase(target)) in both it takes \(change(matched))."
    }
    return text
  }
}

/// `27 % fewer bytes` or `40 % more bytes`.
func change(_ value: Double) -> String { "\(percent(value)) % \(value < 0 ? "fewer" : "more") bytes" }
