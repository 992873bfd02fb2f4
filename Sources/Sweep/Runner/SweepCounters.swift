import Model
import Workers

/// Counters of a running sweep: what is done, what it cost, what is left. Used by the runner's own thread only.
struct SweepCounters {
  /// Points that are left at a quality.
  private struct Left {
    var pixels = 0.0
    var images = 0

    mutating func add(_ other: Left) {
      pixels += other.pixels
      images += other.images
    }
  }

  /// The totals.
  private(set) var summary = SweepSummary()
  /// What points cost so far.
  private(set) var costs = CostModel()

  private let start = MonotonicClock.now()
  private var total: Int
  private var done = 0
  private var left: [CodecVariant: [Quality: Left]] = [:]
  private let grid: [Quality]
  /// Whether a target is searched for: then searches are counted and not points.
  private let isSearch: Bool
  /// How many points a search is expected to take, and those of all searches that were not asked for yet.
  private var expectedProbes = 0.0
  private var probes: [CodecVariant: Double] = [:]
  /// Images whose refinement has not begun, and how many points that is expected to take for each variant.
  private var unrefined = Left()
  private var refinements: [CodecVariant: (expected: Double, points: Int)] = [:]
  private var refinedImages = 0
  private var seconds = 0.0
  /// What is left changes little from point to point, and takes a moment to add up.
  private var lastRemaining: (at: Int64, work: Double)?
  private static let restNanoseconds: Int64 = 200_000_000

  /// How many images' worth the expected number of refined points counts beside those that were seen.
  private static let expectationWeight = 2.0
  /// What a refined point takes against the mean of the grid: scores that are asked for lie in its cheaper part.
  private static let refinedShare = 0.85

  /// Begins to count for a plan.
  init(plan: SweepPlan, jobs: Int) {
    summary.jobs = jobs
    total = plan.pointCount
    grid = plan.qualities
    isSearch = plan.target != nil
    let usable = plan.entries.filter { $0.problem == nil }
    let all = Left(
      pixels: usable.reduce(0.0) { $0 + Double($1.header?.pixelCount ?? 0) }, images: usable.count)
    for description in plan.variants {
      left[description.variant] = Dictionary(
        plan.qualities.map { ($0, all) }, uniquingKeysWith: { first, _ in first })
    }
    if let target = plan.target {
      unrefined = all
      for variant in plan.variants.map(\.variant) {
        expectedProbes = target.expectedPoints(of: variant)
        probes[variant] = expectedProbes * Double(all.images)
      }
    } else if let refinement = plan.refinement {
      unrefined = all
      refinements = Dictionary(
        plan.variants.map { ($0.variant, (refinement.expectedPoints(of: $0.variant), 0)) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Points that turned out to be needed besides the plan's.
  mutating func extend(by points: [PointKey], pixels: Int) {
    if !isSearch { total += points.count }
    for key in points { change(key, pixels: pixels, images: 1) }
  }

  /// An image's refinement begins.
  mutating func beginRefining(pixels: Int) {
    refinedImages += 1
    unrefined.pixels -= Double(pixels)
    unrefined.images -= 1
  }

  /// A point that an image's refinement has asked for, whenever it is measured.
  mutating func refined(_ variant: CodecVariant) { refinements[variant]?.points += 1 }

  /// A point besides the plan's that turned out to be needed, and that an earlier run had finished.
  mutating func reuse() {
    if !isSearch { total += 1 }
    summary.skipped += 1
    done += 1
  }

  /// Points of an image that an earlier run had finished.
  mutating func skip(_ qualities: [Quality], of variant: CodecVariant, pixels: Int) {
    summary.skipped += qualities.count
    done += qualities.count
    change(variant, qualities, pixels: pixels, images: -1)
  }

  /// An outcome that was recorded.
  mutating func count(_ outcome: PointOutcome) { summary.count(outcome) }

  /// A point of the plan that is done for good.
  mutating func finish(_ key: PointKey, pixels: Int) {
    if !isSearch { done += 1 }
    change(key, pixels: pixels, images: -1)
  }

  /// A search that has gone from one round to a later one.
  mutating func search(_ variant: CodecVariant, from old: Int, to new: Int) {
    let expected = { [expectedProbes] (rounds: Int) in max(0, expectedProbes - Double(rounds)) }
    probes[variant, default: 0] += expected(new) - expected(old)
  }

  /// A search that is over after so many rounds, or was given up since its image turned out to be unusable.
  mutating func endSearch(_ variant: CodecVariant, after rounds: Int, isDone: Bool) {
    search(variant, from: rounds, to: .max)
    if isDone { done += 1 } else { total -= 1 }
  }

  /// An image whose header had a problem already, so that its points were never counted.
  mutating func refuse() { summary.imageProblems += 1 }

  /// An image that turned out to be unusable, with the points that it leaves undone.
  mutating func giveUp(_ points: some Collection<PointKey>, pixels: Int, isNewImage: Bool) {
    if isNewImage { summary.imageProblems += 1 }
    if !isSearch { total -= points.count }
    for key in points { change(key, pixels: pixels, images: -1) }
  }

  /// What a worker's time went into.
  mutating func learn(_ key: PointKey, pixels: Int, seconds: Double, opening: Double = 0, peakBytes: Int?) {
    self.seconds += seconds
    costs.learn(key, pixels: pixels, seconds: seconds - opening)
    costs.learnOpening(pixels: pixels, seconds: opening)
    if let peakBytes { summary.peakWorkerBytes = max(peakBytes, summary.peakWorkerBytes ?? 0) }
  }

  /// A worker opened an image.
  mutating func opened() { summary.imagesOpened += 1 }

  /// A point is to be tried again.
  mutating func retry() { summary.retried += 1 }

  /// How far the sweep is.
  mutating func progress() -> SweepProgress {
    let now = MonotonicClock.now()
    var progress = SweepProgress(
      total: total, done: done, failed: summary.failed, skipped: summary.skipped,
      imageProblems: summary.imageProblems, elapsed: Double(now - start) / 1e9)
    guard seconds > 0 else { return progress }
    progress.cpuShare = summary.cpuSeconds / seconds
    if done >= total {
      (progress.remaining, progress.share) = (0, 1)
    } else {
      let work = workLeft(now)
      progress.remaining = work / Double(summary.jobs)
      progress.share = work + seconds > 0 ? seconds / (work + seconds) : 0
      progress.isEstimated = left.keys.allSatisfy(costs.knows)
    }
    return progress
  }

  /// Seconds of work that all points of an image are expected to take; nil before any was seen.
  func wholeImage(pixels: Int) -> Double? {
    let variants = left.keys.map { variant in
      grid.compactMap { costs.seconds(variant, $0, pixels: Double(pixels), images: 1) }
    }
    guard variants.allSatisfy({ $0.count == grid.count }) else { return nil }
    return variants.joined().reduce(0, +)
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

  private mutating func change(_ key: PointKey, pixels: Int, images: Int) {
    change(key.variant, [key.quality], pixels: pixels, images: images)
  }

  private mutating func change(_ variant: CodecVariant, _ qualities: [Quality], pixels: Int, images: Int) {
    let pixels = Double(pixels) * Double(images)
    Self.change(&left[variant, default: [:]], qualities, by: Left(pixels: pixels, images: images))
  }

  private static func change(_ left: inout [Quality: Left], _ qualities: [Quality], by change: Left) {
    for quality in qualities { left[quality, default: Left()].add(change) }
  }

  /// Seconds that workers will be busy yet.
  private mutating func workLeft(_ now: Int64) -> Double {
    if let last = lastRemaining, now - last.at < Self.restNanoseconds { return last.work }
    var work = 0.0
    for (variant, qualities) in left {
      for (quality, left) in qualities where left.images > 0 && left.pixels > 0 {
        work += costs.seconds(variant, quality, pixels: left.pixels, images: left.images) ?? 0
      }
      work += isSearch ? searchLeft(variant) : refinementLeft(variant)
    }
    lastRemaining = (now, work)
    return work
  }

  private func searchLeft(_ variant: CodecVariant) -> Double {
    guard let probes = probes[variant], unrefined.images > 0 else { return 0 }
    return probes * (costs.seconds(variant, pixels: unrefined.pixels / Double(unrefined.images)) ?? 0)
  }

  private func refinementLeft(_ variant: CodecVariant) -> Double {
    guard let (expected, points) = refinements[variant], unrefined.images > 0, unrefined.pixels > 0 else {
      return 0
    }
    let perImage =
      (expected * Self.expectationWeight + Double(points)) / (Self.expectationWeight + Double(refinedImages))
    let mean =
      grid.reduce(0.0) {
        $0 + (costs.seconds(variant, $1, pixels: unrefined.pixels, images: unrefined.images) ?? 0)
      } / Double(max(1, grid.count))
    return perImage * mean * Self.refinedShare
  }
}
