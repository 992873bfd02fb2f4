import Model
import Workers

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
  private let grid: Set<Quality>
  private var nextIndex = 0
  private var retries: [ImageWork] = []
  private var retryPlace: [Int: Int] = [:]
  private var nextRetryIndex = 0
  private var unusable: Set<Int> = []
  /// Images that have points to wait for.
  private var begun: [Int: ImageCourse] = [:]

  /// Sets out on a plan.
  init(
    plan: SweepPlan, jobs: Int, sink: any RecordSink, finished: any FinishedPoints, ledger: ImageLedger
  ) {
    self.plan = plan
    self.sink = sink
    self.finished = finished
    self.ledger = ledger
    preparation = plan.preparation.canonicalSpelling
    grid = Set(plan.qualities)
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
      let known = try finished.finished(
        entry.identity, preparation: preparation, metric: plan.refinement?.metric.id)
      var course = ImageCourse(plan: plan, entry: entry, finished: known)
      skip(course.settled, pixels: work.pixels)
      work.points = tally.costs.dearestFirst(course.begin())[...]
      if work.points.isEmpty { work.points = try nextRound(of: &course, pixels: work.pixels) }
      guard !work.points.isEmpty else { continue }
      begun[index] = course
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
      if let outcome = report.outcomes.last { try goOn(work, after: key, outcome, scheduler: &scheduler) }
    case .again: retry([key], of: work)
    case .imageAgain: retry([key] + scheduler.drop(work.index), of: work)
    case .unusable: giveUp([key] + scheduler.drop(work.index), of: work)
    }
  }

  /// Enters an outcome; when it was the last of the image's round, the next one begins.
  private func goOn(
    _ work: ImageWork, after key: PointKey, _ outcome: Outcome, scheduler: inout PointScheduler
  ) throws {
    guard begun[work.index]?.enter(key, outcome) == true,
      var course = begun.removeValue(forKey: work.index)
    else { return }
    let points = try nextRound(of: &course, pixels: work.pixels)
    guard !points.isEmpty else { return }
    begun[work.index] = course
    scheduler.goOn(with: ImageWork(index: work.index, entry: work.entry, points: points))
  }

  private func nextRound(of course: inout ImageCourse, pixels: Int) throws -> ArraySlice<PointKey> {
    let points = try course.nextRound { key in
      try sink.append(.reuse(key, .refined))
      skip([key], pixels: pixels)
    }
    tally.extend(by: points, pixels: pixels)
    return tally.costs.cheapestFirst(points)[...]
  }

  /// Points that are there already; those beside the grid come on top of the plan's.
  private func skip(_ points: [PointKey], pixels: Int) {
    tally.extend(by: points.filter { !grid.contains($0.quality) }, pixels: pixels)
    for key in points { tally.skip(key, pixels: pixels) }
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
    begun[work.index] = nil
    tally.giveUp(points, pixels: work.pixels, isNewImage: isFirst)
  }
}
