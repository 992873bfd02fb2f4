package import Model
import Synchronization
package import Workers

/// Runs a sweep: one operation per point, on an operation queue whose slots each have a worker process.
///
/// A point whose worker is lost (a crash, a hang, too much memory) is retried once at the end, alone and in a fresh
/// worker, before it counts as failed. An unreadable image gets one record.
///
/// A run with an end time stops then as if cancelled; its summary says which of the two happened.
package final class SweepRunner: Sendable {
  private let plan: SweepPlan
  private let sink: any RecordSink
  private let finished: any FinishedPoints
  private let drawing: PointDrawing
  private let report: @Sendable (SweepProgress) -> Void
  private let pool: WorkerPool
  private let hasRunOut = Atomic(false)
  private let end: Int64?

  /// - Parameters:
  ///   - sink: Receives records, each before it counts as done; called from several threads.
  ///   - drawing: The pictures of points to draw for the page while workers have their pixels.
  ///   - end: The time to stop, on `MonotonicClock`; nil runs to the end of the plan.
  ///   - progress: Called after every point and about once a second, by the thread that called `run`.
  package init(
    plan: SweepPlan, configuration: RunnerConfiguration, sink: any RecordSink, finished: any FinishedPoints,
    drawing: PointDrawing = .nothing, end: Int64? = nil,
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) {
    (self.plan, self.sink, self.finished, self.drawing) = (plan, sink, finished, drawing)
    (self.end, report) = (end, progress)
    pool = WorkerPool(configuration, preparation: plan.preparation, metrics: plan.metrics)
  }

  /// Measures everything unfinished and returns the totals. Blocks the calling thread.
  ///
  /// Throws errors of the sink and of `finished`, or an error if no worker or thread can be started; records are kept.
  package func run() throws -> SweepSummary {
    defer { pool.retire() }
    let jobs = pool.sessions.count
    let state = SweepState(
      plan: plan, jobs: jobs, budget: pool.budget, sink: sink, finished: finished)
    try pass(state, on: jobs)
    pool.retire()
    state.beginRetries(sessions: jobs)
    try pass(state, on: 1)
    report(state.progress())
    var summary = state.counters.closed(wasCancelled: pool.isCancelled, slots: pool.sessions)
    summary.ranOutOfTime = hasRunOut.load(ordering: .acquiring)
    return summary
  }

  /// Stops at once and kills all workers. Callable from any thread, repeatedly, and before `run`.
  package func cancel() { pool.cancel() }

  private func pass(_ state: SweepState, on count: Int) throws {
    try pool.run(on: count) { session, _ in
      try state.next(for: session) { job($0, of: $1, state.imageRecords, isLast: state.isRetrying) }
    } ended: { session, point in
      try state.absorb(point, session: session)
    } patience: {
      secondsLeft
    } round: {
      report(state.progress())
      guard secondsLeft <= 0 else { return }
      hasRunOut.store(true, ordering: .releasing)
      cancel()
    }
  }

  private var secondsLeft: Double {
    guard let end else { return 1 }
    return min(1, max(0, Double(end - MonotonicClock.now()) / 1e9))
  }

  /// One attempt at a point, which records the image before the outcome.
  private func job(
    _ key: Case, of image: Int, _ imageRecords: ImageRecordWriter, isLast: Bool
  ) -> @Sendable (WorkerSlot) throws -> PointReport {
    let conditions = isLast || pool.sessions.count == 1 ? TimingSeries.Conditions.single : .contended
    return { [plan, drawing, sink] session in
      let entry = plan.entries[image]
      // A second attempt gets a fresh worker.
      if isLast { session.retire() }
      let start = MonotonicClock.now()
      let opened = try session.open(entry.file)
      let openingSeconds = MonotonicClock.seconds(since: start)
      let response = try opened.map { _ in
        try session.measure(
          key, of: entry.file, repeats: plan.repeats, conditions: conditions, drawing: drawing)
      }
      var point = PointReport(
        key: key, image: image, response: response, seconds: MonotonicClock.seconds(since: start),
        openingSeconds: openingSeconds)
      if case .answered(let record) = opened {
        (point.peakBytes, point.hasOpened) = (session.peakBytes, record != nil)
        if let record { try imageRecords.record(record, of: image) }
      }
      guard let outcome = try point.outcome(isLast: isLast, entry, imageRecords) else { return point }
      try sink.append(.point(CaseRecord(key: key, outcome: outcome, origin: plan.origin(of: key.quality))))
      point.recorded = outcome
      return point
    }
  }
}

struct PointReport: Sendable {
  let key: Case
  let image: Int
  var response: Response<Figures>
  var hasOpened = false
  /// The worker's highest resident memory, bytes.
  var peakBytes: Int?
  /// The time that the worker was busy, seconds.
  var seconds: Double
  /// The part of `seconds` spent opening the image.
  var openingSeconds = 0.0
  var recorded: PointOutcome?

  var hasLostImage: Bool {
    if case .unusable(let record) = response { record.problem?.isWorthRetrying == true } else { false }
  }

  /// The outcome to record; nil if there is none, or if the point will be retried. An image that cannot be used is
  /// recorded here; if another worker could use it, only this point fails.
  fileprivate func outcome(
    isLast: Bool, _ entry: CorpusEntry, _ imageRecords: ImageRecordWriter
  ) throws -> PointOutcome? {
    guard case .unusable(var record) = response else {
      let outcome = response.outcome
      return !isLast && outcome?.failure?.isWorthRetrying == true ? nil : outcome
    }
    guard isLast || !hasLostImage else { return nil }
    // The lost worker could not report the header.
    if hasLostImage { record.header = record.header ?? entry.header }
    let isUsable = try imageRecords.record(record, of: image)
    return isUsable ? record.problem.map { .failed($0) } : nil
  }
}

/// Writes image records: each goes to the sink once, before any of the image's points.
final class ImageRecordWriter: Sendable {
  private let sink: any RecordSink
  /// Recorded images, by index; true if usable.
  private let recorded = Mutex<[Int: Bool]>([:])

  init(_ sink: any RecordSink) { self.sink = sink }

  /// Appends the record unless the image already has one. Returns true if the recorded image is usable.
  @discardableResult
  func record(_ record: ImageRecord, of image: Int) throws -> Bool {
    // Holds the lock so that a second worker's point cannot overtake the first worker's record.
    try recorded.withLock { recorded in
      if let isUsable = recorded[image] { return isUsable }
      try sink.append(.image(record))
      recorded[image] = record.problem == nil
      return record.problem == nil
    }
  }
}
