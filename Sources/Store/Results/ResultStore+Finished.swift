import GRDB
package import Model
import Synchronization

extension ResultStore: FinishedPoints {
  /// The image's points that the active run need not measure, for any variant and library versions.
  ///
  /// A measured point counts if its run scored all metrics of the active run with at least as many repeats. A failed
  /// point or score counts unless the store was opened to retry failures. With `fresh`, only the active run's points
  /// count, and after such a run no outdated ones.
  package func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws(StoreError) -> FinishedImage {
    let active = activeRun.withLock { $0 }
    return try read { db in
      let metrics = try metrics(of: active, db)
      let rule = FinishedRule(active: active, metrics: metrics, options: options)
      let score = metrics.first { $0.name == metric }.map { "p.\($0.column)" } ?? "NULL"
      let sql = """
        SELECT p.setup, p.quality, p.status, p.run, p.failure_kind, p.failed_scores, p.bytes, p.origin, \(score)
        FROM result p WHERE p.image = ? AND p.way = ''\(active?.outdated.map { " AND NOT \($0)" } ?? "")
        """
      var finished = FinishedImage(image: image, preparation: preparation)
      guard let number = try StoreIdentifiers.image(image, db) else { return finished }
      // Points come grouped by setup.
      var (latest, place): (Int?, Int?)
      try db.forEach(sql, [number]) { row in
        guard try rule.counts(row) else { return }
        let number = try row.count(0)
        if number != latest {
          latest = number
          let setup = try setup(Int64(number), db).flatMap { $0.preparation == preparation ? $0 : nil }
          place = setup.map { finished.place(variant: $0.variant, libraries: $0.libraries) }
        }
        guard let place, let quality = Quality(thousandths: try row.count(1)) else { return }
        finished[at: place][quality] = FinishedPoint(
          bytes: try row.integer(6), score: try row.number(8),
          origins: PointOrigins(rawValue: try row.count(7)))
      }
      return finished
    }
  }

  /// The columns of the active run's metrics, which are added as scores arrive and never change.
  private func metrics(of active: ActiveRun?, _ db: Database) throws -> [StoredMetric] {
    if let known = activeMetrics.withLock({ $0 }), known.run == active?.id { return known.metrics }
    let metrics = try StoredMetric.of(active?.manifest, among: StoreDictionary.metrics(db))
    if let active, active.metrics.isSubset(of: metrics.map(\.stored)) {
      activeMetrics.withLock { $0 = (active.id, metrics) }
    }
    return metrics
  }

  /// Returns a setup by its number, cached: committed setups never change, and only committed ones are visible here.
  private func setup(_ id: Int64, _ db: Database) throws -> StoreSetup? {
    if let known = setups.withLock({ $0[id] }) { return known }
    let all = try StoreDictionary(db).setups
    setups.withLock { $0 = all }
    return all[id]
  }
}

private struct FinishedRule {
  let active: ActiveRun?
  let metrics: [StoredMetric]
  let options: ResultStore.Options

  func counts(_ row: CurrentRow) throws -> Bool {
    let measuredBy = try row.integer(3).map(Int64.init)
    // The active run has already handled it.
    if let measuredBy, measuredBy == active?.id { return true }
    guard !options.fresh else { return false }
    let isEquivalent = active.map { run in measuredBy.map(run.equivalents.contains) ?? false } ?? true
    switch try row.integer(2).flatMap(ResultRow.Status.init) {
    case .measured:
      guard options.retryFailed else { return isEquivalent }
      return try isEquivalent && (row.text(5).map { try StoredMetric.failed($0, metrics).isEmpty } ?? true)
    case .unsupported: return true
    default:
      let isMetric = try row.text(4) == Failure.Kind.metric.rawValue
      return !options.retryFailed && (isEquivalent || !isMetric)
    }
  }
}
