package import Model
package import Store

/// Checks whether scores of undeclared direction fall as files grow, as distances do. Within an image and a variant,
/// more bytes mean more quality, so scores that mostly fall would turn curves, thresholds and searches upside down.
package struct DirectionCheck: Sendable {
  private let metrics: [MetricTraits]
  /// By metric: the number of steps on which scores rise with the bytes, minus those on which they fall.
  private var balances: [Int]
  private var previous: ResultRow?

  package init(metrics: [MetricTraits]) {
    self.metrics = metrics.filter { $0.isDirectionAssumed == true }
    balances = self.metrics.map { _ in 0 }
  }

  /// Adds the next row; rows of one image and variant must be contiguous.
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
      balances[index] += (new > old) == (after > before) ? 1 : -1
    }
  }

  /// Throws for a metric whose scores contradict its assumed direction.
  /// - Parameter ids: The metrics that conclusions depend on; nil for all.
  package func refuseReversed(_ ids: Set<String>? = nil) throws(DirectionError) {
    for (metric, balance) in zip(metrics, balances) where balance < 0 && ids?.contains(metric.id) ?? true {
      throw DirectionError(metric: metric.id)
    }
  }
}

package struct DirectionError: Error, Sendable, Hashable, CustomStringConvertible {
  package let metric: String

  package var description: String {
    "the scores of “\(metric)” fall as files grow, so lower scores seem to be better; declare that with "
      + "--metric-command '\(metric):lower=…' (or :higher, if higher is better after all) and run again; "
      + "no measurement is repeated"
  }
}
