import Model
import Workers

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
    /// Whether a worker opened the image for it.
    var hasOpened = false
    /// The worker's highest resident memory, bytes.
    var peakBytes: Int?
    /// How long the worker was busy, seconds.
    var seconds = 0.0
    /// How long of that it opened the image.
    var openingSeconds = 0.0
  }

  /// The point.
  var key: PointKey
  /// Why it is measured.
  var origin: PointOrigin
  /// Its image.
  var work: ImageWork
  /// How often each call is timed.
  var repeats: Int
  /// The preparation's canonical spelling.
  var preparation: String
  /// What else the machine is doing.
  var conditions: TimingSeries.Conditions
  /// Whether there is no further try.
  var isLast: Bool

  /// Tries, and records what there is to record: the image before its points.
  func carryOut(on slot: WorkerSlot, sink: any RecordSink, imageRecords: ImageRecordWriter) throws -> Report {
    let tried = try slot.measure(key, of: work.entry.file, repeats: repeats, conditions: conditions)
    if let image = tried.image { try imageRecords.record(image, index: work.index, in: sink) }
    let (verdict, outcome) = try settle(tried.answer, sink, imageRecords)
    return Report(
      verdict: verdict, outcome: outcome, hasOpened: tried.image != nil,
      peakBytes: tried.peakBytes, seconds: tried.seconds, openingSeconds: tried.openingSeconds)
  }

  private func settle(
    _ answer: WorkerSlot.Answer, _ sink: any RecordSink, _ imageRecords: ImageRecordWriter
  ) throws -> (Verdict, PointOutcome?) {
    switch answer {
    case .cancelled: return (.cancelled, nil)
    case .outcome(let outcome):
      if !isLast, case .failed(let failure) = outcome, failure.isWorthRetrying { return (.again, nil) }
      try sink.append(.point(PointRecord(key: key, outcome: outcome, origin: origin)))
      return (.recorded, outcome)
    case .unusable(let record):
      if !isLast, record.problem?.isWorthRetrying == true { return (.imageAgain, nil) }
      return try refuse(record, sink, imageRecords)
    case .lostOpening(let failure):
      guard isLast else { return (.imageAgain, nil) }
      let record = ImageRecord(
        identity: work.entry.identity, preparation: preparation, fileBytes: work.entry.fileBytes,
        header: work.entry.header, problem: failure)
      return try refuse(record, sink, imageRecords)
    }
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
