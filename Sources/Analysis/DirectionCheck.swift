package import Model
package import Store

/// Looks whether scores of which nobody has said which are better fall where files grow, as distances do.
///
/// Within an image and a variant more bytes buy more quality. Where a program's scores fall from one point to the
/// next larger one more often than they rise, lower ones must be the better ones, and everything that takes the
/// larger for the better (curves, thresholds, searches) would be upside down.
package struct DirectionCheck: Sendable {
  private let metrics: [MetricTraits]
  /// For each metric, how often scores rose and fell with the bytes.
  private var steps: [(rises: Int, falls: Int)]
  private var previous: ResultRow?

  /// Watches those of the metrics whose direction is a guess.
  package init(metrics: [MetricTraits]) {
    self.metrics = metrics.filter { $0.isDirectionAssumed == true }
    steps = self.metrics.map { _ in (0, 0) }
  }

  /// Takes the next row; rows of one image and variant stand together.
  package mutating func add(_ row: ResultRow) {
    guard !metrics.isEmpty, row.status == .measured else { return }
    defer { previous = row }
    guard let previous, previous.image == row.image, previous.imageHash == row.imageHash,
      previous.variant == row.variant, let before = previous.encodedBytes, let after = row.encodedBytes,
      before != after
    else { return }
    for (index, metric) in metrics.enumerated() {
      guard let old = previous.scores[metric.id], let new = row.scores[metric.id], old != new else {
        continue
      }
      if (new > old) == (after > before) { steps[index].rises += 1 } else { steps[index].falls += 1 }
    }
  }

  /// Refuses a metric whose guess is contradicted by its scores.
  /// - Parameter ids: the metrics that something is to be concluded from; nil for all.
  package func refuseReversed(_ ids: Set<String>? = nil) throws(DirectionError) {
    for (metric, steps) in zip(metrics, steps) where steps.falls > steps.rises {
      if ids?.contains(metric.id) ?? true { throw DirectionError(metric: metric.id) }
    }
  }
}

/// A program's scores fall as files grow, and nobody has said that lower ones are better.
package struct DirectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The metric's identifier.
  package let metric: String

  /// What is wrong, and what to do.
  package var description: String {
    "the scores of “\(metric)” fall as files grow, so that lower ones seem to be better; say so with "
      + "--metric-command '\(metric):lower=…' (or :higher, if that is what they mean) and run again: nothing is "
      + "measured anew"
  }
}
