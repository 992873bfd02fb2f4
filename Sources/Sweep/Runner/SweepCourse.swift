import BenchModel

/// A sweep on its way: which images come next, what has to be tried again, and the books. Used by the runner's
/// own thread only.
final class SweepCourse {
  /// The books.
  private(set) var tally: SweepTally

  private let plan: SweepPlan
  private let sink: any RecordSink
  private let finished: any FinishedPoints
  private let ledger: ImageLedger
  private let preparation: String
  private var nextIndex = 0
  private var retries: [ImageWork] = []
  private var retryPlace: [Int: Int] = [:]
  private var nextRetryIndex = 0
  private var unusable: Set<Int> = []

  /// Sets out on a plan.
  init(
    plan: SweepPlan, jobs: Int, sink: any RecordSink, finished: any FinishedPoints, ledger: ImageLedger
  ) {
    self.plan = plan
    self.sink = sink
    self.finished = finished
    self.ledger = ledger
    preparation = plan.preparation.canonicalSpelling
    tally = SweepTally(plan: plan, jobs: jobs)
  }

  /// The next image that has something left to do. Images with a known problem are recorded on the way.
  func nextImage() throws -> ImageWork? {
    while nextIndex < plan.entries.count {
      let index = nextIndex
      nextIndex += 1
      let entry = plan.entries[index]
      guard entry.problem == nil else {
        let record = ImageRecord(
          identity: entry.identity, preparation: preparation, fileBytes: entry.fileBytes,
          header: entry.header, problem: entry.problem)
        try ledger.record(record, index: index, in: sink)
        tally.refuse()
        continue
      }
      var work = ImageWork(index: index, entry: entry, points: [])
      let done = try finished.finished(entry.identity, preparation: preparation)
      var left: [PointKey] = []
      for key in plan.points(of: entry) {
        if done.contains(key) { tally.skip(key, pixels: work.pixels) } else { left.append(key) }
      }
      guard !left.isEmpty else { continue }
      work.points = tally.costs.dearestFirst(left)[...]
      return work
    }
    return nil
  }

  /// The next image with points that lost their worker.
  func nextRetry() -> ImageWork? {
    guard nextRetryIndex < retries.count else { return nil }
    defer { nextRetryIndex += 1 }
    return retries[nextRetryIndex]
  }

  /// Enters what an operation has done.
  func absorb(_ done: PointDone, isLast: Bool, scheduler: inout PointScheduler) throws {
    let report = try done.result.get()
    let (key, work) = (done.attempt.key, done.attempt.work)
    if report.hasOpened { tally.opened() }
    tally.count(report.outcomes)
    switch report.verdict {
    case .cancelled: break
    case .recorded:
      tally.learn(key, pixels: work.pixels, seconds: report.seconds, peakBytes: report.peakBytes)
      if let peak = report.peakBytes { scheduler.budget.learn(peakBytes: peak, pixels: work.pixels) }
      tally.finish(key, pixels: work.pixels)
    case .again: retry([key], of: work)
    case .imageAgain: retry([key] + scheduler.drop(work.index), of: work)
    case .unusable: giveUp([key] + scheduler.drop(work.index), of: work)
    }
  }

  private func retry(_ points: [PointKey], of work: ImageWork) {
    for _ in points { tally.retry() }
    if let place = retryPlace[work.index] {
      retries[place].points += points
      return
    }
    retryPlace[work.index] = retries.count
    retries.append(ImageWork(index: work.index, entry: work.entry, points: points[...]))
  }

  private func giveUp(_ points: [PointKey], of work: ImageWork) {
    // Two workers may have opened it at the same time.
    let isFirst = unusable.insert(work.index).inserted
    tally.giveUp(points, pixels: work.pixels, isNewImage: isFirst)
  }
}
