import Foundation
package import Model
package import Workers

/// Runs a sweep: one operation per point on an operation queue, each of whose slots has a worker process.
///
/// A point whose worker is lost (a crash, a hang, too much memory) is retried once at the end, alone and in a fresh
/// worker, before it counts as failed. An unreadable image costs one record.
///
/// A run with an end time is then stopped as if cancelled; its summary tells the difference.
package final class SweepRunner: Sendable {
  private let plan: SweepPlan
  private let sink: any RecordSink
  private let finished: any FinishedPoints
  private let drawing: PointDrawing
  private let report: @Sendable (SweepProgress) -> Void
  private let pool: WorkerPool
  private let imageRecords = ImageRecordWriter()
  private let hasRunOut = StopFlag()
  private let end: Int64?

  /// - Parameters:
  ///   - sink: receives records, each before it counts as done; called from several threads.
  ///   - finished: the points that need no measuring.
  ///   - drawing: the pictures of points to draw for the page while workers have their pixels.
  ///   - end: the time to stop, on `MonotonicClock`; nil runs to the end of the plan.
  ///   - progress: called after every point and about once a second, by the thread that called `run`.
  package init(
    plan: SweepPlan, configuration: RunnerConfiguration, sink: any RecordSink, finished: any FinishedPoints,
    drawing: PointDrawing = .nothing, end: Int64? = nil,
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) {
    self.end = end
    self.plan = plan
    self.sink = sink
    self.finished = finished
    self.drawing = drawing
    self.report = progress
    pool = WorkerPool(configuration, preparation: plan.preparation, metrics: plan.metrics)
  }

  /// Measures everything unfinished and returns the totals. Blocks the calling thread.
  ///
  /// Throws the errors of the sink and the finished points, or one if no worker or thread can be started; records are
  /// kept.
  package func run() throws -> SweepSummary {
    defer { pool.retire() }
    let jobs = pool.sessions.count
    let state = SweepState(
      plan: plan, jobs: jobs, sink: sink, finished: finished, imageRecords: imageRecords)
    var first = PointScheduler(budget: pool.budget) { [pool] in
      pool.isCancelled ? nil : try state.nextImage()
    }
    try pass(state, &first, on: jobs, isLast: false)
    for (index, session) in pool.sessions.enumerated() {
      session.retire()
      first.budget.release(slot: index)
    }
    var second = PointScheduler(budget: first.budget) { state.nextRetry() }
    try pass(state, &second, on: 1, isLast: true)
    report(state.progress())
    var summary = state.counters.closed(wasCancelled: pool.isCancelled, slots: pool.sessions)
    summary.ranOutOfTime = hasRunOut.isSet
    return summary
  }

  /// Stops at once and kills all workers, even in an encode. May be called from any thread, repeatedly, and before
  /// `run`.
  package func cancel() { pool.cancel() }

  private func pass(
    _ state: SweepState, _ scheduler: inout PointScheduler, on count: Int, isLast: Bool
  ) throws {
    try pool.run(on: count) { session, _ -> WorkerPool.Next<PointReport> in
      switch try scheduler.next(for: session) {
      case .point(let work, let key): return .job(job(key, of: work, isLast: isLast))
      case .wait: return .wait
      case .nothing: return .nothing
      }
    } ended: { session, point in
      try state.absorb(point, slot: session, isLast: isLast, scheduler: &scheduler)
    } patience: {
      secondsLeft
    } round: {
      report(state.progress())
      guard secondsLeft <= 0 else { return }
      hasRunOut.set()
      cancel()
    }
  }

  /// One second, or fewer if the run has to end sooner.
  private var secondsLeft: Double {
    guard let end else { return 1 }
    return min(1, max(0, Double(end - MonotonicClock.now()) / 1e9))
  }

  /// One try at a point, which records the image before the outcome.
  private func job(
    _ key: Case, of work: ImageWork, isLast: Bool
  ) -> @Sendable (WorkerSlot) throws -> PointReport {
    let conditions = isLast || pool.sessions.count == 1 ? TimingSeries.Conditions.single : .contended
    return { [plan, drawing, sink, imageRecords] session in
      // A second attempt gets a fresh worker.
      if isLast { session.retire() }
      let tried = try session.measure(
        key, of: work.entry.file, repeats: plan.repeats, conditions: conditions, drawing: drawing)
      var point = PointReport(key: key, work: work, tried: tried)
      if let image = tried.image { try imageRecords.record(image, index: work.index, in: sink) }
      guard let outcome = try point.outcome(isLast: isLast, sink, imageRecords) else { return point }
      try sink.append(.point(CaseRecord(key: key, outcome: outcome, origin: plan.origin(of: key.quality))))
      point.recorded = outcome
      return point
    }
  }
}

/// A try at a point.
struct PointReport: Sendable {
  var key: Case
  var work: ImageWork
  var tried: MeasuredCase
  /// Nil if nothing was recorded.
  var recorded: PointOutcome?

  /// True if the worker was lost while it opened the image.
  var hasLostImage: Bool {
    if case .unusable(let record) = tried.response { record.problem?.isWorthRetrying == true } else { false }
  }

  /// The outcome to record; nil if there is none, or if the point is to be tried again. An image that cannot be used is
  /// recorded here; if another worker could use it, only this point has failed.
  fileprivate func outcome(
    isLast: Bool, _ sink: any RecordSink, _ imageRecords: ImageRecordWriter
  ) throws -> PointOutcome? {
    guard case .unusable(var record) = tried.response else {
      let outcome = tried.response.outcome
      return !isLast && outcome?.failure?.isWorthRetrying == true ? nil : outcome
    }
    guard isLast || !hasLostImage else { return nil }
    // A lost worker could not report the header.
    if hasLostImage { record.header = record.header ?? work.entry.header }
    let isUsable = try imageRecords.record(record, index: work.index, in: sink)
    return isUsable ? record.problem.map { .failed($0) } : nil
  }
}
