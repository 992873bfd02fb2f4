import Analysis
import Model
import Reports
import Store
import Sweep
import Synchronization
import Workers

/// Passes a sweep's records on, and says what the headline is so far.
final class HeadlineWatch: RecordSink {
  private struct State {
    var headline: RunningHeadline
    var hasNews = false
    /// Whether what earlier runs have measured is in it.
    var isComplete = false
    var lastTold: Int64 = 0
  }

  /// Nobody reads faster, and many images take a moment.
  private static let restNanoseconds: Int64 = 1_000_000_000

  private let sink: any RecordSink
  private let store: ResultStore
  private let run: RunID
  private let metric: MetricTraits
  private let analysis: Analysis
  private let images: Int
  private let state: Mutex<State>

  /// Watches what a run puts into a sink; nil where it has no headline. What earlier runs have measured is in `store`.
  init?(
    _ sink: any RecordSink, of run: RunID, in store: ResultStore, plan: SweepPlan, metrics: [MetricTraits],
    options: AnalysisOptions
  ) {
    let variants = plan.variants.map(\.variant)
    guard let metric = metrics.first(where: { $0.id == options.headlineMetric }),
      let headline = RunningHeadline(variants: variants, metric: metric, options: options)
    else { return nil }
    (self.sink, self.run, self.store, self.metric) = (sink, run, store, metric)
    analysis = Analysis(options: options, variants: variants, metrics: metrics)
    images = plan.entries.count { $0.problem == nil }
    state = Mutex(State(headline: headline))
  }

  func append(_ record: SweepRecord) throws {
    guard case .point(let point) = record, case .measured(let measurement) = point.outcome else {
      return try sink.append(record)
    }
    // While this record is not among them.
    try readEarlier()
    try sink.append(record)
    state.withLock {
      $0.headline.add(
        point.key.image, point.key.variant, bytes: measurement.encodedBytes,
        score: measurement.scores[metric.id])
      $0.hasNews = true
    }
  }

  /// Takes what earlier runs have measured, once something is added to it: a run that has nothing to do need not read
  /// all that there is.
  private func readEarlier() throws {
    try state.withLock { state in
      guard !state.isComplete else { return }
      state.isComplete = true
      try store.forEachRow(of: run) { row in
        guard let variant = row.variant, let bytes = row.encodedBytes else { return }
        let image = ImageIdentity(name: row.image, contentHash: row.imageHash ?? "")
        state.headline.add(image, variant, bytes: bytes, score: row.scores[metric.id])
      }
    }
  }

  /// The headline so far, one for each codec but the reference; nil where it is too early to ask again.
  func news() -> [Saving]? {
    let now = MonotonicClock.now()
    let headline = state.withLock { state -> RunningHeadline? in
      guard state.hasNews, now - state.lastTold >= Self.restNanoseconds else { return nil }
      (state.hasNews, state.lastTold) = (false, now)
      return state.headline
    }
    let wording = Wording(analysis)
    return headline?.verdicts(outOf: images).map { Saving($0, wording) }
  }
}
