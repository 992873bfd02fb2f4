import Model
import Workers

/// Counters of a running sweep. Used only on the runner's own thread.
struct SweepCounters {
  /// The time that points take, compared with their codecs' CPU time.
  private struct Pace {
    /// Seconds of encodes and decodes, and their CPU seconds. The initial values are those of a mostly idle machine,
    /// since the first points are short and say little.
    var (coding, codingCPU) = (0.36, 0.3)
    /// Megapixels that went through everything except coding, with the seconds and CPU seconds that took.
    var (megapixels, rest, restCPU) = (0.0, 0.0, 0.0)

    /// CPU seconds after which older observations count half, since the machine's load changes.
    private static let memory = 20.0

    mutating func learn(
      coding wall: Double, cpu: Double, rest: Double, restCPU: Double, megapixels: Double
    ) {
      let kept = codingCPU + self.restCPU > Self.memory ? 0.5 : 1
      (coding, codingCPU) = (kept * coding + wall, kept * codingCPU + cpu)
      (self.rest, self.restCPU) = (kept * self.rest + max(0, rest), kept * self.restCPU + restCPU)
      self.megapixels = kept * self.megapixels + megapixels
    }

    var isKnown: Bool { megapixels > 0 }

    /// Seconds for which this amount of work keeps workers busy.
    func seconds(_ amount: WorkLeft.Amount) -> Double {
      amount.coding * coding / codingCPU + amount.megapixels * rest / megapixels
    }

    func cpuSeconds(_ amount: WorkLeft.Amount) -> Double {
      amount.coding + amount.megapixels * restCPU / megapixels
    }
  }

  var summary = SweepSummary()
  var left: WorkLeft

  private let start: Int64
  private var total: Int
  /// True in a search for a target, in which searches are counted instead of points.
  private let isSearch: Bool
  private var searches = 0
  /// Variants that a session has already used. A variant's first point also loads libraries from disk.
  private var warm: [Int: Set<CodecVariant>] = [:]
  private var pace = Pace()
  private var opened = (seconds: 0.0, megapixels: 0.0)
  /// Cached because the work left changes little from point to point and takes a moment to add up.
  private var lastAmount: (at: Int64, amount: WorkLeft.Amount?)?
  private static let restNanoseconds: Int64 = 200_000_000
  /// Work needed before a time is shown: a share of the total, or CPU seconds.
  private static let least = (share: 0.05, seconds: 2.0)
  /// The largest share of an image's own time that opening it again may take.
  private static let mostOpening = 0.02

  init(plan: SweepPlan, jobs: Int, at start: Int64 = MonotonicClock.now()) {
    self.start = start
    summary.jobs = jobs
    total = plan.pointCount
    isSearch = plan.target != nil
    left = WorkLeft(plan)
  }

  private var done: Int {
    isSearch ? searches : summary.skipped + summary.measured + summary.unsupported + summary.failed
  }

  mutating func extend(by points: [Case], of image: Int) {
    if !isSearch { total += points.count }
    for key in points {
      left.ask(key.variant, of: image)
      left.change(key.variant, key.quality, of: image, by: 1)
    }
  }

  /// Counts a point outside the plan that turned out to be needed and that an earlier run had finished.
  mutating func reuse(_ key: Case, of image: Int) {
    total += 1
    left.ask(key.variant, of: image)
    summary.skipped += 1
  }

  mutating func skip(_ qualities: [Quality], of variant: CodecVariant, image: Int) {
    summary.skipped += qualities.count
    for quality in qualities { left.change(variant, quality, of: image, by: -1) }
  }

  /// Ends a search; `isDone` is false if it was abandoned because its image is unusable.
  mutating func endSearch(_ variant: CodecVariant, of image: Int, isDone: Bool) {
    left.drop(image, variant)
    if isDone { searches += 1 } else { total -= 1 }
  }

  /// Counts an unusable image and removes its remaining points.
  mutating func giveUp(_ points: Int, of image: Int, isNewImage: Bool) {
    if isNewImage { summary.imageProblems += 1 }
    if !isSearch { total -= points }
    left.drop(image)
  }

  /// Counts an attempt at a point, and its outcome if it is recorded.
  mutating func count(_ tried: PointReport, session: Int) {
    if tried.hasOpened { summary.imagesOpened += 1 }
    guard let outcome = tried.recorded else { return }
    summary.count(outcome)
    if let peak = tried.peakBytes { summary.peakWorkerBytes = max(peak, summary.peakWorkerBytes ?? 0) }
    learn(tried, outcome, session)
    left.change(tried.key.variant, tried.key.quality, of: tried.image, by: -1)
  }

  private mutating func learn(_ tried: PointReport, _ outcome: PointOutcome, _ session: Int) {
    let (key, image, seconds) = (tried.key, tried.image, tried.seconds - tried.openingSeconds)
    // A session's first opening also starts its worker; later starts are rare.
    if tried.hasOpened, warm[session] != nil {
      opened.seconds += tried.openingSeconds
      opened.megapixels += left.megapixels[image]
    }
    let isWarm = !warm[session, default: []].insert(key.variant).inserted
    guard case .measured(let measurement) = outcome else {
      // It is unknown how much of a failed point's time the codec took; an unsupported point took none.
      let took: Double? = if case .unsupported = outcome { nil } else { seconds }
      return left.learn(key, of: image, seconds: took)
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

  /// False if opening an image this many more times would take too much of its time.
  func mayOpenAgain(_ image: Int, times: Int) -> Bool {
    guard opened.megapixels > 0, pace.isKnown, let whole = left.whole(image) else { return true }
    let opening = opened.seconds / opened.megapixels * left.megapixels[image]
    return Double(times) * opening <= Self.mostOpening * pace.seconds(whole)
  }

  func closed(wasCancelled: Bool, slots: [WorkerSlot]) -> SweepSummary {
    var summary = summary
    summary.wasCancelled = wasCancelled
    summary.wallNanoseconds = MonotonicClock.now() - start
    summary.workersStarted = slots.reduce(0) { $0 + $1.started }
    summary.sandbox = SandboxStatus.common(slots.compactMap(\.sandbox))
    summary.settingsAsRun = slots.reduce(into: [:]) { all, slot in
      all.merge(slot.settingsAsRun.filter { !$0.value.isEmpty }) { first, _ in first }
    }
    return summary
  }

  private mutating func amountLeft(_ now: Int64) -> WorkLeft.Amount? {
    if let last = lastAmount, now - last.at < Self.restNanoseconds { return last.amount }
    let amount = left.amount()
    lastAmount = (now, amount)
    return amount
  }
}
