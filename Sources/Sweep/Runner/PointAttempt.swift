import BenchModel

/// One try at a point by one slot, with the recording of what came of it.
struct PointAttempt: Sendable {
  /// What there is to count.
  enum Verdict: Sendable {
    /// The point is recorded.
    case recorded(Outcome)
    /// The worker was lost: the point is to be tried again.
    case again
    /// The worker was lost while it opened the image: all of the image is to be tried again.
    case imageAgain
    /// The image is recorded as unusable.
    case unusable
    /// The run was cancelled first.
    case cancelled
  }

  /// The point.
  var key: PointKey
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
  func carryOut(
    on slot: WorkerSlot, sink: any RecordSink, ledger: ImageLedger
  ) throws -> (verdict: Verdict, report: WorkerSlot.Report) {
    let report = try slot.measure(key, of: work, repeats: repeats, conditions: conditions)
    if let image = report.image { try ledger.record(image, index: work.index, in: sink) }
    return (try verdict(report.answer, sink, ledger), report)
  }

  private func verdict(
    _ answer: WorkerSlot.Answer, _ sink: any RecordSink, _ ledger: ImageLedger
  ) throws -> Verdict {
    switch answer {
    case .cancelled: return .cancelled
    case .outcome(let outcome):
      if !isLast, case .failed(let failure) = outcome, failure.isWorthRetrying { return .again }
      try sink.append(.point(PointRecord(key: key, outcome: outcome)))
      return .recorded(outcome)
    case .unusable(let record):
      if !isLast, record.problem?.isWorthRetrying == true { return .imageAgain }
      return try refuse(record, sink, ledger)
    case .lostOpening(let failure):
      guard isLast else { return .imageAgain }
      let record = ImageRecord(
        identity: work.entry.identity, preparation: preparation, fileBytes: work.entry.fileBytes,
        header: work.entry.header, problem: failure)
      return try refuse(record, sink, ledger)
    }
  }

  /// Records that the image cannot be used. Where another worker could use it, only this point has failed.
  private func refuse(
    _ record: ImageRecord, _ sink: any RecordSink, _ ledger: ImageLedger
  ) throws -> Verdict {
    guard try ledger.record(record, index: work.index, in: sink), let problem = record.problem else {
      return .unusable
    }
    let outcome = Outcome.failed(problem)
    try sink.append(.point(PointRecord(key: key, outcome: outcome)))
    return .recorded(outcome)
  }
}

/// What an operation hands back to the runner.
struct PointDone: Sendable {
  /// The slot that is free again.
  var slot: Int
  /// What was tried.
  var attempt: PointAttempt
  /// What came of it, or the error that ends the run.
  var result: Result<(verdict: PointAttempt.Verdict, report: WorkerSlot.Report), any Error>
}
