package import Model
import Pixels
package import Store

/// Result of a search for one image and variant: the point that reaches the target, or comes nearest to it.
package struct TargetFinding: Sendable, Hashable {
  package var quality: Quality
  package var nativeQuality: Int?
  package var bytes: Int
  package var scores: [String: Double]
  package var isReached: Bool

  private init?(_ row: ResultRow, target: QualityTarget) {
    guard row.status == .measured, let quality = row.quality, let bytes = row.encodedBytes, bytes > 0
    else { return nil }
    if let metric = target.metric, row.scores[metric.id]?.isFinite != true { return nil }
    self.quality = quality
    self.bytes = bytes
    nativeQuality = row.nativeQuality
    scores = row.scores
    isReached = target.isReached(bytes: bytes, scores: row.scores)
  }

  /// Replaces the answer so far for an image and variant if this row has a better one.
  package static func keepBetter(_ answer: inout TargetFinding?, _ row: ResultRow, target: QualityTarget) {
    guard let found = TargetFinding(row, target: target) else { return }
    if let answer, !found.answers(target, betterThan: answer) { return }
    answer = found
  }

  /// Returns true if this point answers the search better than another of the same image and variant: the lowest
  /// quality that reaches a score, the highest that fits a size; failing both, the nearest one.
  private func answers(_ target: QualityTarget, betterThan other: TargetFinding) -> Bool {
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
  /// The totals of a variant. All sums and means are over the images at which every variant reaches the target.
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

  /// Gain of a variant over the reference within a size limit, over the images in which both fit.
  package struct Gain: Sendable, Hashable {
    package var variant: CodecVariant
    package var reference: CodecVariant
    package var metric: String
    package var score: Double
    package var referenceScore: Double
    /// Mean difference in the metric's own unit. Positive is better, even for metrics that fall as images improve.
    package var points: CorpusFigure
  }

  package var target: QualityTarget
  package var images: Int
  package var totals: [Total]
  package var gains: [Gain]
}

struct TargetAccumulator: Sendable {
  private let target: QualityTarget
  private let metrics: [MetricTraits]
  private let headline: MetricTraits?
  private var current: [Int: TargetFinding] = [:]
  private var columns: [Column] = []
  private var images = 0

  private struct Column: Sendable {
    var total: TargetFindings.Total
    var quality = Mean()
    var scores: [String: Mean] = [:]
    var gains = FigureColumn(.plain)
    var score = Mean()
    var referenceScore = Mean()
  }

  init(_ target: QualityTarget, metrics: [MetricTraits], headline: MetricTraits?) {
    (self.target, self.metrics, self.headline) = (target, metrics, headline)
  }

  mutating func add(_ row: ResultRow, variant: Int) {
    TargetFinding.keepBetter(&current[variant], row, target: target)
  }

  mutating func append(_ variant: CodecVariant) {
    columns.append(Column(total: TargetFindings.Total(variant: variant)))
  }

  mutating func finishImage(_ image: NamedImage?) {
    defer { current = [:] }
    guard let image else { return }
    let reached = current.filter(\.value.isReached)
    for variant in current.keys { columns[variant].total.searched += 1 }
    for (variant, finding) in reached {
      columns[variant].total.reached += 1
      guard variant > 0, let headline, let score = finding.scores[headline.id],
        let other = reached[0]?.scores[headline.id], score.isFinite, other.isFinite
      else { continue }
      columns[variant].gains.add(headline.worsening(from: score, to: other), image: image)
      columns[variant].score.add(score)
      columns[variant].referenceScore.add(other)
    }
    guard reached.count == columns.count else { return }
    images += 1
    for (variant, finding) in reached { add(finding, variant) }
  }

  private mutating func add(_ finding: TargetFinding, _ variant: Int) {
    columns[variant].total.bytes +|= finding.bytes
    columns[variant].quality.add(finding.quality.value)
    for metric in metrics {
      guard let score = finding.scores[metric.id], score.isFinite else { continue }
      columns[variant].scores[metric.id, default: Mean()].add(score)
    }
  }

  func findings(outOf: Int, options: AnalysisOptions) -> TargetFindings {
    let first = columns.first?.total.bytes ?? 0
    let totals = columns.map { column in
      var total = column.total
      total.percentOfFirst = first > 0 ? Double(total.bytes) / Double(first) * 100 : nil
      total.meanQuality = column.quality.value
      total.meanScores = column.scores.compactMapValues(\.value)
      return total
    }
    var gains: [TargetFindings.Gain] = []
    if target.metric == nil, let headline, let reference = columns.first?.total.variant {
      gains = columns.dropFirst().compactMap { column in
        guard let points = column.gains.figure(outOf: outOf, options: options),
          let score = column.score.value, let other = column.referenceScore.value
        else { return nil }
        return TargetFindings.Gain(
          variant: column.total.variant, reference: reference, metric: headline.id, score: score,
          referenceScore: other, points: points)
      }
    }
    return TargetFindings(target: target, images: images, totals: totals, gains: gains)
  }
}
