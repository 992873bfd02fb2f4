import Model
import Store

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
    self.target = target
    self.metrics = metrics
    self.headline = headline
  }

  mutating func add(_ row: ResultRow, variant: Int) {
    guard let finding = TargetFinding(row, target: target) else { return }
    if let earlier = current[variant], !finding.answers(target, betterThan: earlier) { return }
    current[variant] = finding
  }

  mutating func finishImage(_ image: NamedImage?, _ variants: [CodecVariant]) {
    defer { current = [:] }
    guard let image else { return }
    addColumns(variants)
    let reached = current.filter(\.value.isReached)
    for variant in current.keys { columns[variant].total.searched += 1 }
    for (variant, finding) in reached {
      columns[variant].total.reached += 1
      guard variant > 0, let headline, let score = finding.scores[headline.id],
        let other = reached[0]?.scores[headline.id], score.isFinite, other.isFinite
      else { continue }
      columns[variant].gains.add((score - other) * (headline.higherIsBetter ? 1 : -1), image: image)
      columns[variant].score.add(score)
      columns[variant].referenceScore.add(other)
    }
    guard reached.count == variants.count else { return }
    images += 1
    for (variant, finding) in reached { add(finding, variant) }
  }

  private mutating func addColumns(_ variants: [CodecVariant]) {
    columns += variants.dropFirst(columns.count).map { Column(total: TargetFindings.Total(variant: $0)) }
  }

  private mutating func add(_ finding: TargetFinding, _ variant: Int) {
    columns[variant].total.bytes = saturatingSum(columns[variant].total.bytes, finding.bytes)
    columns[variant].quality.add(finding.quality.value)
    for metric in metrics {
      guard let score = finding.scores[metric.id], score.isFinite else { continue }
      columns[variant].scores[metric.id, default: Mean()].add(score)
    }
  }

  consuming func findings(
    _ variants: [CodecVariant], outOf: Int, options: AnalysisOptions
  ) -> TargetFindings {
    addColumns(variants)
    let first = columns.first?.total.bytes ?? 0
    let totals = columns.map { column in
      var total = column.total
      total.percentOfFirst = first > 0 ? Double(total.bytes) / Double(first) * 100 : nil
      total.meanQuality = column.quality.value
      total.meanScores = column.scores.compactMapValues(\.value)
      return total
    }
    var gains: [TargetFindings.Gain] = []
    if target.metric == nil, let headline, let reference = variants.first {
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
