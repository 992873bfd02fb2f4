import Model
import Workers

/// The runner's books: what is done, what it cost, what is left. Used by the runner's own thread only.
struct SweepTally {
  /// The totals.
  private(set) var summary = SweepSummary()
  /// What points cost so far.
  private(set) var costs = CostModel()

  private let start = MonotonicClock.now()
  private var total: Int
  private var done = 0
  /// Pixels of each variant's points that are left, by the variant's place in the plan.
  private var pixelsLeft: [CodecVariant: Double]
  private let qualities: Int
  private var seconds = 0.0

  /// Opens the books of a plan.
  init(plan: SweepPlan, jobs: Int) {
    summary.jobs = jobs
    total = plan.pointCount
    qualities = plan.qualities.count
    let usable = plan.entries.lazy.filter { $0.problem == nil }
    let pixels = usable.reduce(0.0) { $0 + Double($1.header?.pixelCount ?? 0) } * Double(qualities)
    pixelsLeft = Dictionary(
      plan.variants.map { ($0.variant, pixels) }, uniquingKeysWith: { first, _ in first })
  }

  /// Points that turned out to be needed besides the plan's.
  mutating func extend(by points: [PointKey], pixels: Int) {
    total += points.count
    for key in points { pixelsLeft[key.variant, default: 0] += Double(pixels) }
  }

  /// A point that an earlier run had finished.
  mutating func skip(_ key: PointKey, pixels: Int) {
    summary.skipped += 1
    done += 1
    pixelsLeft[key.variant, default: 0] -= Double(pixels)
  }

  /// Outcomes that were recorded.
  mutating func count(_ outcomes: [Outcome]) {
    for outcome in outcomes { summary.count(outcome) }
  }

  /// A point of the plan that is done for good.
  mutating func finish(_ key: PointKey, pixels: Int) {
    done += 1
    pixelsLeft[key.variant, default: 0] -= Double(pixels)
  }

  /// An image whose header had a problem already, so that its points were never counted.
  mutating func refuse() { summary.imageProblems += 1 }

  /// An image that turned out to be unusable, with the points that it leaves undone.
  mutating func giveUp(_ points: some Collection<PointKey>, pixels: Int, isNewImage: Bool) {
    if isNewImage { summary.imageProblems += 1 }
    total -= points.count
    for key in points { pixelsLeft[key.variant, default: 0] -= Double(pixels) }
  }

  /// What a worker's time went into.
  mutating func learn(_ key: PointKey, pixels: Int, seconds: Double, peakBytes: Int?) {
    self.seconds += seconds
    costs.learn(key.variant, pixels: pixels, seconds: seconds)
    if let peakBytes { summary.peakWorkerBytes = max(peakBytes, summary.peakWorkerBytes ?? 0) }
  }

  /// A worker opened an image.
  mutating func opened() { summary.imagesOpened += 1 }

  /// A point is to be tried again.
  mutating func retry() { summary.retried += 1 }

  /// How far the sweep is.
  func progress() -> SweepProgress {
    let elapsed = Double(MonotonicClock.now() - start) / 1e9
    var remaining: Double?
    if seconds > 0 {
      let work = pixelsLeft.reduce(0.0) { $0 + max(0, $1.value) * (costs.secondsPerPixel($1.key) ?? 0) }
      remaining = done >= total ? 0 : work / Double(summary.jobs)
    }
    return SweepProgress(
      total: total, done: done, failed: summary.failed, skipped: summary.skipped,
      imageProblems: summary.imageProblems, elapsed: elapsed, remaining: remaining)
  }

  /// Closes the books.
  func closed(wasCancelled: Bool, slots: [WorkerSlot]) -> SweepSummary {
    var summary = summary
    summary.wasCancelled = wasCancelled
    summary.wallNanoseconds = MonotonicClock.now() - start
    summary.workersStarted = slots.reduce(0) { $0 + $1.started }
    summary.fence = slots.lazy.compactMap(\.fence).first
    return summary
  }
}
