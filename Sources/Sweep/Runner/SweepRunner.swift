import Foundation
package import Model
package import Workers

/// Carries out a sweep: one operation per point on an operation queue, each slot of it with a worker process.
///
/// A point whose worker is lost (a crash, a hang, too much memory) is tried once more at the end, alone and in
/// a fresh worker, before it counts as failed. An image that cannot be read costs one record.
///
/// A run with a time to end by is stopped then as if it were cancelled, and told apart by its summary.
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

  /// Prepares a sweep.
  /// - Parameters:
  ///   - plan: what to measure.
  ///   - configuration: how.
  ///   - sink: where records go, each before it counts as done; called from several threads.
  ///   - finished: the points that need no measuring.
  ///   - drawing: what is drawn of points for the page while workers have their pixels.
  ///   - end: when to stop, on `MonotonicClock`; nil goes on to the end of the plan.
  ///   - progress: told after every point and about once a second, by the thread that called `run`.
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

  /// Measures everything that is not finished, and returns what became of it. Blocks the calling thread.
  ///
  /// Throws what the sink or the finished points throw, or why no worker or thread can be started; everything
  /// recorded before stays recorded.
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

  /// Stops the run at once: no further point is begun and all workers are killed, even in the middle of an
  /// encode. May be called from any thread, more than once, and before `run`.
  package func cancel() {
    stop.set()
    halt()
  }

  private func halt() {
    for slot in slots { slot.cancel() }
    results.nudge()
  }

  /// Does what the scheduler gives, on the first so many slots.
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
            // Its memory counts as free from now on, so it has to be.
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
      // After a cancellation: counts what operations had recorded before it reached them.
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

  /// How long to wait for what arrives: a second, or until the run has to end.
  private func secondsToWait() -> Double {
    guard let end else { return 1 }
    return min(1, max(0, Double(end - MonotonicClock.now()) / 1e9))
  }

  private func start(
    _ key: PointKey, of work: ImageWork, on index: Int, _ queue: WatchedQueue, isLast: Bool
  ) {
    let slot = slots[index]
    let attempt = PointAttempt(
      key: key, origin: plan.origin(of: key.quality), work: work, repeats: plan.repeats,
      conditions: isLast || slots.count == 1 ? .single : .contended, isLast: isLast,
      drawing: drawing)
    queue.add { [results, sink, imageRecords] in
      // A second attempt gets a worker that nothing has gone wrong in yet.
      if isLast { slot.retire() }
      let result = Result { try attempt.carryOut(on: slot, sink: sink, imageRecords: imageRecords) }
      results.put(PointDone(slot: index, attempt: attempt, result: result))
    }
  }
}

/// One try at a point by one slot, with the recording of what came of it.
struct PointAttempt: Sendable {
  /// What there is to count.
  enum Verdict: Sendable {
    /// The point is recorded.
    case recorded
    /// The worker was lost: the point is to be tried again.
    case again
    /// The worker was lost while it opened the image: all of the image is to be tried again.
    case imageAgain
    /// The image is recorded as unusable.
    case unusable
    /// The run was cancelled first.
    case cancelled
  }

  /// What came of a try.
  struct Report: Sendable {
    /// What there is to count.
    var verdict: Verdict
    /// What is recorded; nil where nothing is.
    var outcome: PointOutcome?
    /// The try with what came along.
    var tried: PointReport
  }

  /// The point.
  var key: PointKey
  /// Why it is measured.
  var origin: PointOrigin
  /// Its image.
  var work: ImageWork
  /// How often each call is timed.
  var repeats: Int
  /// What else the machine is doing.
  var conditions: TimingSeries.Conditions
  /// Whether there is no further try.
  var isLast: Bool
  /// Which of its pictures are made, too.
  var drawing: PointDrawing

  /// Tries, and records what there is to record: the image before its points.
  func carryOut(on slot: WorkerSlot, sink: any RecordSink, imageRecords: ImageRecordWriter) throws -> Report {
    let tried = try slot.measure(
      key, of: work.entry.file, repeats: repeats, conditions: conditions, drawing: drawing)
    if let image = tried.image { try imageRecords.record(image, index: work.index, in: sink) }
    let (verdict, outcome) = try settle(tried.response, sink, imageRecords)
    return Report(verdict: verdict, outcome: outcome, tried: tried)
  }

  private func settle(
    _ response: Response<Model.Measurement>, _ sink: any RecordSink, _ imageRecords: ImageRecordWriter
  ) throws -> (Verdict, PointOutcome?) {
    if case .unusable(var record) = response {
      let isLost = record.problem?.isWorthRetrying == true
      if isLost, !isLast { return (.imageAgain, nil) }
      // A worker that was lost could not say what the header says.
      if isLost { record.header = record.header ?? work.entry.header }
      return try refuse(record, sink, imageRecords)
    }
    guard let outcome = response.outcome else { return (.cancelled, nil) }
    if !isLast, outcome.failure?.isWorthRetrying == true { return (.again, nil) }
    try sink.append(.point(PointRecord(key: key, outcome: outcome, origin: origin)))
    return (.recorded, outcome)
  }

  /// Records that the image cannot be used. Where another worker could use it, only this point has failed.
  private func refuse(
    _ record: ImageRecord, _ sink: any RecordSink, _ imageRecords: ImageRecordWriter
  ) throws -> (Verdict, PointOutcome?) {
    guard try imageRecords.record(record, index: work.index, in: sink), let problem = record.problem else {
      return (.unusable, nil)
    }
    let outcome = PointOutcome.failed(problem)
    try sink.append(.point(PointRecord(key: key, outcome: outcome, origin: origin)))
    return (.recorded, outcome)
  }
}

/// What an operation hands back to the runner.
struct PointDone: Sendable {
  /// The slot that is free again.
  var slot: Int
  /// What was tried.
  var attempt: PointAttempt
  /// What came of it, or the error that ends the run.
  var result: Result<PointAttempt.Report, any Error>
}
