import Analysis
import Model
import Reports
import Store
import Synchronization
import Workers

/// Forwards a sweep's records and reports the headline so far.
final class HeadlineWatch: RecordSink {
  private struct State {
    var headline: RunningHeadline
    var hasNews = false
    /// True once the results of earlier runs are included.
    var isComplete = false
    var lastTold: Int64 = 0
  }

  /// The interval between updates: nobody reads faster, and many images take a moment to evaluate.
  private static let restNanoseconds: Int64 = 1_000_000_000

  private let sink: any RecordSink
  private let store: ResultStore
  private let run: RunID
  private let metric: MetricTraits
  private let analysis: Analysis
  private let images: Int
  private let state: Mutex<State>

  /// Watches the records of a run; nil if it has no headline. `store` has the results of earlier runs.
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
    images = Set(plan.entries.lazy.filter { $0.problem == nil }.map(\.identity.contentHash)).count
    state = Mutex(State(headline: headline))
  }

  func append(_ record: SweepRecord) throws {
    guard case .point(let point) = record, case .measured(let measurement) = point.outcome else {
      return try sink.append(record)
    }
    // Reads them before they include this record.
    try readEarlier()
    try sink.append(record)
    state.withLock {
      $0.headline.add(
        point.key.image, point.key.variant, bytes: measurement.encodedBytes,
        score: measurement.scores[metric.id])
      $0.hasNews = true
    }
  }

  /// Adds the results of earlier runs once there is a new record, since a run with nothing to do need not read them.
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

  /// The headline so far, for each codec but the reference; nil if it is too early or nothing is new.
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

/// Forwards a sweep's records, and runs an action once before the first of them.
final class AnnouncedSink: RecordSink {
  private let sink: any RecordSink
  private let announcement: Mutex<(() -> Void)?>

  init(_ sink: any RecordSink, action: sending @escaping () -> Void) {
    self.sink = sink
    announcement = Mutex(action)
  }

  func append(_ record: SweepRecord) throws {
    announce()
    try sink.append(record)
  }

  func announce() {
    announcement.withLock { action in
      action?()
      action = nil
    }
  }
}
