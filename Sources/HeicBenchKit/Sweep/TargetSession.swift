import Analysis
import Codecs
import Model
import Reports
import Store
import Sweep
import Workers

/// The search for a target, in place of a sweep over qualities.
struct TargetSession {
  let setup: SweepSetup
  let run: RunID
  let target: QualityTarget
  /// Whether what earlier runs measured does not count.
  let isFresh: Bool

  /// Searches, and writes what was found beside the other results.
  func search(
    _ cancellation: Cancellation, end: Int64?, events: @escaping @Sendable (SweepEvent) -> Void
  ) throws -> SweepSummary {
    let (store, kept, metric, isFresh) = (setup.store, setup.kept, target.metric?.id, isFresh)
    let search = TargetSearch(
      plan: setup.plan, target: target, registry: .standard, configuration: setup.configuration,
      sink: setup.sink,
      known: { key in
        guard !isFresh, let known = try? store.measurement(for: key), kept?.holds(key, known) ?? true else {
          return nil
        }
        // A run with other metrics has not answered the question.
        return metric.map { known.scores[$0] != nil } ?? true ? known : nil
      }, end: end, progress: { events(.measuring($0)) })
    cancellation.perform { search.cancel() }
    let (results, summary) = try search.run()
    var table = TargetTable(target: target, metrics: setup.manifest.metrics, results: results)
    var directions = DirectionCheck(metrics: setup.manifest.metrics)
    try store.forEachRow(of: run) { row in
      table.add(row)
      directions.add(row)
    }
    if let metric { try directions.refuseReversed([metric]) }
    try setup.files.write(table.csv, to: ResultsFolder.targetsName)
    return summary
  }
}
