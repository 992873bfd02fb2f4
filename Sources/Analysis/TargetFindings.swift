package import Model
package import Store

/// Result of a search for one image and variant: the point that reaches the target, or comes nearest to it.
package struct TargetFinding: Sendable, Hashable {
  package var quality: Quality
  package var nativeQuality: Int?
  package var bytes: Int
  package var scores: [String: Double]
  package var isReached: Bool

  package init?(_ row: ResultRow, target: QualityTarget) {
    guard row.status == .measured, let quality = row.quality, let bytes = row.encodedBytes, bytes > 0
    else { return nil }
    if let metric = target.metric, row.scores[metric.id]?.isFinite != true { return nil }
    self.quality = quality
    self.bytes = bytes
    nativeQuality = row.nativeQuality
    scores = row.scores
    isReached = target.isReached(bytes: bytes, scores: row.scores)
  }

  /// Returns true if this point answers the search better than another of the same image and variant: the lowest
  /// quality that reaches a score, the highest that fits a size; failing both, the nearest one.
  package func answers(_ target: QualityTarget, betterThan other: TargetFinding) -> Bool {
    guard isReached == other.isReached else { return isReached }
    switch target.goal {
    case .bytes:
      return isReached
        ? quality > other.quality : (bytes, quality) < (other.bytes, other.quality)
    case .score(let metric, _):
      guard !isReached else { return quality < other.quality }
      let (mine, theirs) = (scores[metric.id] ?? 0, other.scores[metric.id] ?? 0)
      return metric.higherIsBetter ? mine > theirs : mine < theirs
    }
  }
}

package struct TargetFindings: Sendable, Hashable {
  /// A variant. All sums and means are over the images at which every variant reaches the target.
  package struct Total: Sendable, Hashable {
    package var variant: CodecVariant
    package var reached: Int = 0
    package var searched: Int = 0
    package var bytes: Int = 0
    /// Bytes in percent of the first variant's. Files overshoot a score by the coarseness of the codec's quality scale,
    /// so this is not a comparison at equal quality.
    package var percentOfFirst: Double?
    package var meanQuality: Double?
    package var meanScores: [String: Double] = [:]
  }

  /// Gain of a variant over the reference within a size, over the images at which both fit.
  package struct Gain: Sendable, Hashable {
    package var variant: CodecVariant
    package var reference: CodecVariant
    package var metric: String
    package var score: Double
    package var referenceScore: Double
    /// Mean difference in the metric's own unit. Positive is better, also for metrics that fall as images improve.
    package var points: CorpusFigure
  }

  package var target: QualityTarget
  package var images: Int
  package var totals: [Total]
  package var gains: [Gain]
}
