import Model
import Store

/// Findings of a search, collected from streaming rows.
struct TargetAccumulator: Sendable {
  private let target: QualityTarget
  private let metrics: [MetricTraits]
  private let headline: MetricTraits?
  private var current: [Int: TargetFinding] = [:]
  private var columns: [Column] = []
  private var images = 0

  fileprivate struct Column: Sendable {
    var reached = 0
    var searched = 0
    var bytes = 0
    var quality = Mean()
    var scores: [String: Mean] = [:]
    /// Against the first variant, for images where both reach the target.
    var gains = FigureColumn(.percent)
    var score = Mean()
    var referenceScore = Mean()
  }

  init(_ target: QualityTarget, metrics: [MetricTraits], headline: MetricTraits?) {
    self.target = target
    self.metrics = metrics
    self.headline = headline
  }

  mutating func add(_ row: ResultRow, variant: Int) {
    guard let finding = TargetFinding(row, target: target) else { return }
    if let earlier = current[variant], !finding.answers(target, betterThan: earlier) { return }
    current[variant] = finding
  }

  /// Ends an image; nil for an unusable one.
  mutating func finishImage(_ image: NamedImage?, variants: Int) {
    defer { current = [:] }
    guard let image else { return }
    while columns.count < variants { columns.append(Column()) }
    let reached = current.filter(\.value.isReached)
    for variant in current.keys { columns[variant].searched += 1 }
    for (variant, finding) in reached {
      columns[variant].reached += 1
      if variant > 0, let first = reached[0] { addGain(finding, first, variant, image: image) }
    }
    guard reached.count == variants else { return }
    images += 1
    for (variant, finding) in reached { columns[variant].add(finding, metrics) }
  }

  private mutating func addGain(
    _ finding: TargetFinding, _ first: TargetFinding, _ variant: Int, image: NamedImage
  ) {
    guard let headline, let score = finding.scores[headline.id], let other = first.scores[headline.id],
      score.isFinite, other.isFinite
    else { return }
    columns[variant].gains.add((score - other) * (headline.higherIsBetter ? 1 : -1), image: image)
    columns[variant].score.add(score)
    columns[variant].referenceScore.add(other)
  }

  func findings(_ variants: [CodecVariant], outOf: Int, options: AnalysisOptions) -> TargetFindings {
    let columns = self.columns + variants.dropFirst(self.columns.count).map { _ in Column() }
    let first = columns.first?.bytes ?? 0
    let totals = zip(variants, columns).map { variant, column in
      var total = TargetFindings.Total(variant: variant)
      (total.reached, total.searched, total.bytes) = (column.reached, column.searched, column.bytes)
      total.percentOfFirst = first > 0 ? Double(column.bytes) / Double(first) * 100 : nil
      total.meanQuality = column.quality.value
      total.meanScores = column.scores.compactMapValues(\.value)
      return total
    }
    var gains: [TargetFindings.Gain] = []
    if target.metric == nil, let headline, let reference = variants.first {
      gains = zip(variants, columns).dropFirst().compactMap { variant, column in
        guard let points = column.gains.figure(outOf: outOf, options: options),
          let score = column.score.value, let other = column.referenceScore.value
        else { return nil }
        return TargetFindings.Gain(
          variant: variant, reference: reference, metric: headline.id, score: score, referenceScore: other,
          points: points)
      }
    }
    return TargetFindings(target: target, images: images, totals: totals, gains: gains)
  }
}

extension TargetAccumulator.Column {
  fileprivate mutating func add(_ finding: TargetFinding, _ metrics: [MetricTraits]) {
    bytes = saturatingSum(bytes, finding.bytes)
    quality.add(finding.quality.value)
    for metric in metrics {
      guard let score = finding.scores[metric.id], score.isFinite else { continue }
      scores[metric.id, default: Mean()].add(score)
    }
  }
}
