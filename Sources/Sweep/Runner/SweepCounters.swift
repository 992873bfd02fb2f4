import Model
import Workers

/// Counters of a running sweep: what is done, what it cost, what is left. Used by the runner's own thread only.
struct SweepCounters {
  /// What points took beside the CPU time of their codecs.
  private struct Pace {
    /// Seconds of encodes and decodes, and their CPU seconds, beginning with what a machine with little else to do takes: the
    /// first points are short ones, which tell little.
    var (coding, codingCPU) = (0.36, 0.3)
    /// Megapixels that went through all else, and its seconds and CPU seconds.
    var (megapixels, rest, restCPU) = (0.0, 0.0, 0.0)

    /// CPU seconds after which half of what was told before counts: what else the machine does changes.
    private static let memory = 20.0

    /// Learns from a point.
    mutating func learn(
      coding wall: Double, cpu: Double, rest: Double, restCPU: Double, megapixels: Double
    ) {
      let kept = codingCPU + self.restCPU > Self.memory ? 0.5 : 1
      (coding, codingCPU) = (kept * coding + wall, kept * codingCPU + cpu)
      (self.rest, self.restCPU) = (kept * self.rest + max(0, rest), kept * self.restCPU + restCPU)
      self.megapixels = kept * self.megapixels + megapixels
    }

    /// Whether points have told anything yet.
    var isKnown: Bool { megapixels > 0 }

    /// Seconds that work keeps workers busy.
    func seconds(_ amount: WorkLeft.Amount) -> Double {
      amount.coding * coding / codingCPU + amount.megapixels * rest / megapixels
    }

    /// CPU seconds of work.
    func cpuSeconds(_ amount: WorkLeft.Amount) -> Double {
      amount.coding + amount.megapixels * restCPU / megapixels
    }
  }

  /// A worker's place with a variant.
  private struct Seat: Hashable {
    var slot: Int
    var variant: CodecVariant
  }

  /// The totals.
  private(set) var summary = SweepSummary()
  /// How long points took so far.
  private(set) var costs = CostModel()

  private let start: Int64
  private var total: Int
  private var done = 0
  private var left: WorkLeft
  /// Whether a target is searched for: then searches are counted and not points.
  private let isSearch: Bool
  /// Slots that have met a variant. What loads from disk with the first point there comes once.
  private var warm: Set<Seat> = []
  private var pace = Pace()
  /// What is left changes little from point to point, and takes a moment to add up.
  private var lastAmount: (at: Int64, amount: WorkLeft.Amount?)?
  private static let restNanoseconds: Int64 = 200_000_000
  /// What has to be known before a time is told: this share of the work, or so many CPU seconds of it.
  private static let least = (share: 0.05, seconds: 2.0)

  /// Begins to count for a plan, at a time of `MonotonicClock`.
  init(plan: SweepPlan, jobs: Int, at start: Int64 = MonotonicClock.now()) {
    self.start = start
    summary.jobs = jobs
    total = plan.pointCount
    isSearch = plan.target != nil
    left = WorkLeft(plan)
  }

  /// Points of an image that turned out to be needed besides the plan's.
  mutating func extend(by points: [PointKey], of image: Int) {
    if !isSearch { total += points.count }
    for key in points {
      left.ask(key.variant, of: image)
      left.change(key.variant, key.quality, of: image, by: 1)
    }
  }

  /// An image's refinement has come to its next round, or to its end, where that has no points.
  mutating func refine(_ image: Int, with round: [PointKey]) { left.begin(round, of: image) }

  /// A point besides the plan's that turned out to be needed, and that an earlier run had finished.
  mutating func reuse(_ key: PointKey, of image: Int) {
    if !isSearch { total += 1 }
    left.ask(key.variant, of: image)
    summary.skipped += 1
    done += 1
  }

  /// A point that a search has gone through and that an earlier run had finished.
  mutating func ask(_ key: PointKey, of image: Int) { left.ask(key.variant, of: image) }

  /// Points of an image that an earlier run had finished.
  mutating func skip(_ qualities: [Quality], of variant: CodecVariant, image: Int) {
    summary.skipped += qualities.count
    done += qualities.count
    for quality in qualities { left.change(variant, quality, of: image, by: -1) }
  }

  /// An outcome that was recorded.
  mutating func count(_ outcome: PointOutcome) { summary.count(outcome) }

  /// A point of the plan that is done for good.
  mutating func finish(_ key: PointKey, of image: Int) {
    if !isSearch { done += 1 }
    left.change(key.variant, key.quality, of: image, by: -1)
  }

  /// A search that is over, or was given up since its image turned out to be unusable.
  mutating func endSearch(_ variant: CodecVariant, of image: Int, isDone: Bool) {
    left.drop(image, variant)
    if isDone { done += 1 } else { total -= 1 }
  }

  /// An image whose header had a problem already, so that its points were never counted.
  mutating func refuse() { summary.imageProblems += 1 }

  /// An image that turned out to be unusable, with how many points it leaves undone.
  mutating func giveUp(_ points: Int, of image: Int, isNewImage: Bool) {
    if isNewImage { summary.imageProblems += 1 }
    if !isSearch { total -= points }
    left.drop(image)
  }

  /// What a worker's time went into.
  mutating func learn(_ key: PointKey, of image: Int, pixels: Int, _ report: PointAttempt.Report, slot: Int) {
    let tried = report.tried
    let seconds = tried.seconds - tried.openingSeconds
    costs.learn(key, pixels: pixels, seconds: seconds)
    costs.learnOpening(pixels: pixels, seconds: tried.openingSeconds)
    if let peak = tried.peakBytes { summary.peakWorkerBytes = max(peak, summary.peakWorkerBytes ?? 0) }
    let isWarm = !warm.insert(Seat(slot: slot, variant: key.variant)).inserted
    guard let measurement = report.outcome?.value else {
      // How much of the time a point that failed was the codec's, nobody knows; one that is not supported took none.
      return left.learn(key, of: image, seconds: report.outcome?.failure == nil ? nil : seconds)
    }
    let calls = measurement.timing.encode + measurement.timing.decode
    let coding = calls.reduce((wall: 0.0, cpu: 0.0)) {
      ($0.wall + Double($1.wallNanoseconds) / 1e9, $0.cpu + Double($1.cpuNanoseconds) / 1e9)
    }
    left.learn(key, of: image, seconds: coding.cpu)
    guard isWarm, coding.cpu > 0 else { return }
    pace.learn(
      coding: coding.wall, cpu: coding.cpu, rest: seconds - coding.wall,
      restCPU: Double(measurement.scoringCPUNanoseconds) / 1e9, megapixels: left.size(of: image))
  }

  /// A worker opened an image.
  mutating func opened() { summary.imagesOpened += 1 }

  /// A point is to be tried again.
  mutating func retry() { summary.retried += 1 }

  /// How far the sweep is. What is left is told once enough of the work is done to know.
  mutating func progress(at now: Int64 = MonotonicClock.now()) -> SweepProgress {
    var progress = SweepProgress(
      total: total, done: done, failed: summary.failed, skipped: summary.skipped,
      imageProblems: summary.imageProblems, elapsed: Double(now - start) / 1e9)
    guard summary.cpuSeconds > 0 else { return progress }
    if done >= total {
      (progress.remaining, progress.share) = (0, 1)
    } else if pace.isKnown, let amount = amountLeft(now) {
      let cpuSeconds = pace.cpuSeconds(amount)
      let share = summary.cpuSeconds / (summary.cpuSeconds + cpuSeconds)
      progress.share = share
      guard share >= Self.least.share || pace.codingCPU + pace.restCPU >= Self.least.seconds else {
        return progress
      }
      progress.remaining = pace.seconds(amount) / Double(summary.jobs)
      progress.cpuRemaining = cpuSeconds
    }
    return progress
  }

  /// Seconds of work that the grid of an image is expected to take; nil while nobody knows.
  func wholeImage(_ image: Int) -> Double? {
    pace.isKnown ? left.whole(image).map(pace.seconds) : nil
  }

  /// The totals at the end of a run.
  func closed(wasCancelled: Bool, slots: [WorkerSlot]) -> SweepSummary {
    var summary = summary
    summary.wasCancelled = wasCancelled
    summary.wallNanoseconds = MonotonicClock.now() - start
    summary.workersStarted = slots.reduce(0) { $0 + $1.started }
    summary.sandbox = SandboxStatus.common(slots.compactMap(\.sandbox))
    return summary
  }

  private mutating func amountLeft(_ now: Int64) -> WorkLeft.Amount? {
    if let last = lastAmount, now - last.at < Self.restNanoseconds { return last.amount }
    let amount = left.amount()
    lastAmount = (now, amount)
    return amount
  }
}
