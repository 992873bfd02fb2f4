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
  private let configuration: RunnerConfiguration
  private let sink: any RecordSink
  private let finished: any FinishedPoints
  private let drawing: PointDrawing
  private let report: @Sendable (SweepProgress) -> Void
  private let slots: [WorkerSlot]
  private let results = BlockingQueue<PointDone>()
  private let imageRecords = ImageRecordWriter()
  private let stop = StopFlag()
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
    self.configuration = configuration
    self.sink = sink
    self.finished = finished
    self.drawing = drawing
    self.report = progress
    let launch = configuration.launch(preparation: plan.preparation, metrics: plan.metrics)
    slots = (0..<configuration.jobs).map { _ in WorkerSlot(launch: launch, configuration: configuration) }
  }

  /// Measures everything unfinished and returns the totals. Blocks the calling thread.
  ///
  /// Throws the errors of the sink and the finished points, or one if no worker or thread can be started; records are
  /// kept.
  package func run() throws -> SweepSummary {
    let queue = try WatchedQueue(concurrency: configuration.jobs)
    defer {
      queue.settle()
      for slot in slots { slot.retire() }
    }
    let state = SweepState(
      plan: plan, jobs: configuration.jobs, sink: sink, finished: finished, imageRecords: imageRecords)
    let budget = MemoryBudget(
      total: configuration.memoryBudget, workers: 1 + configuration.builds.count)
    var first = PointScheduler(budget: budget) { [stop] in stop.isSet ? nil : try state.nextImage() }
    try pass(state, &first, queue, slots: slots.count, isLast: false)
    for (index, slot) in slots.enumerated() {
      slot.retire()
      first.budget.release(slot: index)
    }
    var second = PointScheduler(budget: first.budget) { state.nextRetry() }
    try pass(state, &second, queue, slots: 1, isLast: true)
    report(state.progress())
    var summary = state.counters.closed(wasCancelled: stop.isSet, slots: slots)
    summary.ranOutOfTime = hasRunOut.isSet
    return summary
  }

  /// Stops at once and kills all workers, even in an encode. May be called from any thread, repeatedly, and before
  /// `run`.
  package func cancel() {
    stop.set()
    halt()
  }

  private func halt() {
    for slot in slots { slot.cancel() }
    results.nudge()
  }

  private func pass(
    _ state: SweepState, _ scheduler: inout PointScheduler, _ queue: WatchedQueue, slots count: Int,
    isLast: Bool
  ) throws {
    var idle = Array(0..<count)
    var running = 0
    do {
      while !stop.isSet {
        idle = try idle.filter { slot in
          switch try scheduler.next(for: slot) {
          case .point(let work, let key):
            start(key, of: work, on: slot, queue, isLast: isLast)
            running += 1
            return false
          case .wait:
            // Its memory counts as free from now on, so the worker must give it back.
            slots[slot].retire()
            return true
          case .nothing: return true
          }
        }
        guard running > 0 else { return }
        let arrived = results.take(within: secondsToWait())
        if arrived.isEmpty { try queue.check() }
        for done in arrived {
          running -= 1
          idle.append(done.slot)
          try state.absorb(done, isLast: isLast, scheduler: &scheduler)
        }
        report(state.progress())
        if secondsToWait() <= 0 {
          hasRunOut.set()
          cancel()
        }
      }
      // After a cancellation, counts outcomes that were recorded before it took effect.
      try queue.wait()
      for done in results.take(within: 0) {
        try state.absorb(done, isLast: isLast, scheduler: &scheduler)
      }
    } catch {
      halt()
      queue.settle()
      throw error
    }
  }

  /// Seconds to wait for results: one, or fewer if the run has to end sooner.
  private func secondsToWait() -> Double {
    guard let end else { return 1 }
    return min(1, max(0, Double(end - MonotonicClock.now()) / 1e9))
  }

  private func start(
    _ key: Case, of work: ImageWork, on index: Int, _ queue: WatchedQueue, isLast: Bool
  ) {
    let slot = slots[index]
    let attempt = PointAttempt(
      key: key, origin: plan.origin(of: key.quality), work: work, repeats: plan.repeats,
      conditions: isLast || slots.count == 1 ? .single : .contended, isLast: isLast,
      drawing: drawing)
    queue.add { [results, sink, imageRecords] in
      // A second attempt gets a fresh worker.
      if isLast { slot.retire() }
      let result = Result { try attempt.carryOut(on: slot, sink: sink, imageRecords: imageRecords) }
      results.put(PointDone(slot: index, attempt: attempt, result: result))
    }
  }
}

/// One try at a point by one slot, and the recording of its outcome.
struct PointAttempt: Sendable {
  enum Verdict: Sendable {
    case recorded
    /// The worker was lost: the point is to be retried.
    case again
    /// The worker was lost while opening the image: the whole image is to be retried.
    case imageAgain
    case unusable
    /// The run was cancelled before the point was done.
    case cancelled
  }

  struct Report: Sendable {
    var verdict: Verdict
    /// The recorded outcome; nil if nothing was recorded.
    var outcome: PointOutcome?
    var tried: PointReport
  }

  var key: Case
  var origin: PointOrigin
  var work: ImageWork
  /// Times that each call is timed.
  var repeats: Int
  /// The machine's other load.
  var conditions: TimingSeries.Conditions
  /// True if there is no further try.
  var isLast: Bool
  /// Pictures to draw of the point.
  var drawing: PointDrawing

  /// Measures, and records the image before its outcome.
  func carryOut(on slot: WorkerSlot, sink: any RecordSink, imageRecords: ImageRecordWriter) throws -> Report {
    let tried = try slot.measure(
      key, of: work.entry.file, repeats: repeats, conditions: conditions, drawing: drawing)
    if let image = tried.image { try imageRecords.record(image, index: work.index, in: sink) }
    let (verdict, outcome) = try settle(tried.response, sink, imageRecords)
    return Report(verdict: verdict, outcome: outcome, tried: tried)
  }

  private func settle(
    _ response: Response<Model.Figures>, _ sink: any RecordSink, _ imageRecords: ImageRecordWriter
  ) throws -> (Verdict, PointOutcome?) {
    if case .unusable(var record) = response {
      let isLost = record.problem?.isWorthRetrying == true
      if isLost, !isLast { return (.imageAgain, nil) }
      // A lost worker could not report the header.
      if isLost { record.header = record.header ?? work.entry.header }
      return try refuse(record, sink, imageRecords)
    }
    guard let outcome = response.outcome else { return (.cancelled, nil) }
    if !isLast, outcome.failure?.isWorthRetrying == true { return (.again, nil) }
    try sink.append(.point(CaseRecord(key: key, outcome: outcome, origin: origin)))
    return (.recorded, outcome)
  }

  /// Records that the image cannot be used. If another worker could use it, only this point has failed.
  private func refuse(
    _ record: ImageRecord, _ sink: any RecordSink, _ imageRecords: ImageRecordWriter
  ) throws -> (Verdict, PointOutcome?) {
    guard try imageRecords.record(record, index: work.index, in: sink), let problem = record.problem else {
      return (.unusable, nil)
    }
    let outcome = PointOutcome.failed(problem)
    try sink.append(.point(CaseRecord(key: key, outcome: outcome, origin: origin)))
    return (.recorded, outcome)
  }
}

struct PointDone: Sendable {
  /// The slot that is free again.
  var slot: Int
  var attempt: PointAttempt
  /// The report, or the error that ends the run.
  var result: Result<PointAttempt.Report, any Error>
}
