package import Model
package import Store

/// What a search found for one image and variant: the point that reaches the target, or comes nearest to it.
package struct TargetFinding: Sendable, Hashable {
  /// The quality.
  package var quality: Quality
  /// The quality on the codec's own scale.
  package var nativeQuality: Int?
  /// Bytes of the file.
  package var bytes: Int
  /// All its scores, by metric identifier.
  package var scores: [String: Double]
  /// Whether it reaches the target.
  package var isReached: Bool

  /// Takes a measured point; nil for other rows, and where the score that is searched for does not exist.
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

  /// Whether it answers the search better than another point of the same image and variant: the lowest quality
  /// that reaches a score, the highest that fits a size; where none does, the one that comes nearest.
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

/// What a search found over all images.
package struct TargetFindings: Sendable, Hashable {
  /// A variant. All sums and means are over the images at which every variant reaches the target.
  package struct Total: Sendable, Hashable {
    /// The variant.
    package var variant: CodecVariant
    /// Images at which it reaches the target.
    package var reached: Int = 0
    /// Images that it was searched for.
    package var searched: Int = 0
    /// Bytes of the files that were found.
    package var bytes: Int = 0
    /// The same in percent of the first variant's. The files overshoot a score by as much as the codec's quality
    /// scale is coarse, so this is not a comparison at equal quality.
    package var percentOfFirst: Double?
    /// The mean of the qualities that were found.
    package var meanQuality: Double?
    /// The mean scores of the files that were found, by metric identifier.
    package var meanScores: [String: Double] = [:]
  }

  /// How much better a variant looks than the reference within a size, over the images at which both fit.
  package struct Gain: Sendable, Hashable {
    /// The variant.
    package var variant: CodecVariant
    /// What it is compared with.
    package var reference: CodecVariant
    /// The metric's identifier.
    package var metric: String
    /// Mean score of the variant.
    package var score: Double
    /// Mean score of the reference.
    package var referenceScore: Double
    /// How much better, in the metric's own unit: the mean of the images' differences, its interval and its
    /// extremes. More than 0 is better, also by metrics that fall as images get better.
    package var points: CorpusFigure
  }

  /// What was searched for.
  package var target: QualityTarget
  /// Images at which every variant reaches the target.
  package var images: Int
  /// The variants in the order of the run.
  package var totals: [Total]
  /// One for each variant but the first, in a search for a size; empty otherwise.
  package var gains: [Gain]
}
