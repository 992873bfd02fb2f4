import Model
import Synchronization
import Workers

/// Times points one at a time, without competing jobs of this program. This gives wall times fit for a headline, and
/// CPU times that other jobs' use of caches and memory does not raise.
///
/// One worker stays on as many cores as an encoder has threads. All points of an image take turns in random order. A
/// first turn, and every turn of a fast encode, begins with an encode and decode that are discarded. Calibration
/// encodes at the start and the end show whether the machine drifted in between.
final class TimingPass: Sendable {
  /// The turns of each point. Each round shuffles an image's points, so that slow drift affects all of them equally.
  fileprivate static let rounds = 5
  /// Encodes slower than this many seconds are warmed up only once: their own work displaces older data from caches.
  private static let warmUpBelow = 0.05

  private let plan: SweepPlan
  private let configuration: RunnerConfiguration
  /// The minimum seconds of encoding, and of decoding, for each point over all rounds.
  private let minimumSeconds: Double
  /// The most repeats of a point in a round: enough for the fastest encodes, but no more than a store should hold.
  private let maximumRepeats: Int
  private let sink: any RecordSink
  private let points: @Sendable (CorpusEntry) -> [Case]
  private let progress: @Sendable (SweepProgress) -> Void
  private let pool: WorkerPool
  private let isStopped = Atomic(false)
  /// The time to stop, on `MonotonicClock`; nil runs to the end.
  private let end: Int64?

  /// A pass over `points` of a sweep's usable images. `sink` gets a `timing` record for each point once its image's turns
  /// are over, and `progress` is called after every turn, by the thread that called `run`.
  init(
    plan: SweepPlan, configuration: RunnerConfiguration, minimumSeconds: Double = 0.5,
    maximumRepeats: Int = 200, points: @escaping @Sendable (CorpusEntry) -> [Case], sink: any RecordSink,
    end: Int64? = nil,
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) {
    (self.plan, self.configuration, self.points) = (plan, configuration, points)
    (self.minimumSeconds, self.maximumRepeats) = (minimumSeconds, maximumRepeats)
    (self.sink, self.end, self.progress) = (sink, end, progress)
    pool = WorkerPool(configuration, preparation: plan.preparation, sessions: 1)
  }

  /// Times everything and returns the totals. Blocks the calling thread.
  func run() throws -> TimingSummary {
    defer { pool.retire() }
    let usable = plan.entries.filter { $0.problem == nil }
    var course = TimingCourse(turns: usable.reduce(0) { $0 + points($1).count } * Self.rounds)
    let before = try calibrate()
    for entry in usable where !hasStopped { try time(points(entry), of: entry, &course) }
    if let before, !hasStopped, let after = try calibrate() {
      course.summary.driftPercent = (after / before - 1) * 100
    }
    course.summary.wasCancelled = hasStopped
    return course.summary
  }

  func cancel() {
    isStopped.store(true, ordering: .releasing)
    pool.cancel()
  }

  private var hasStopped: Bool { isStopped.load(ordering: .acquiring) }

  private func time(_ points: [Case], of entry: CorpusEntry, _ course: inout TimingCourse) throws {
    var series: [Case: TimingSeries] = [:]
    var dropped: Set<Case> = []
    for round in 0..<Self.rounds {
      for key in points.shuffled(using: &course.generator) where !dropped.contains(key) {
        guard !hasStopped else { return }
        let turn = try turn(round, key, entry, before: series[key])
        if let more = turn.value {
          series[key] = series[key]?.followed(by: more) ?? more
        } else {
          guard turn.failure != nil else { return }
          dropped.insert(key)
        }
        progress(course.progress())
        if let end, MonotonicClock.now() >= end {
          course.summary.ranOutOfTime = true
          cancel()
        }
      }
    }
    for key in points where !dropped.contains(key) {
      guard let timing = series[key] else { continue }
      try sink.append(.timing(key, timing))
      course.summary.timed += 1
    }
    course.summary.failed += dropped.count
  }

  private func turn(
    _ round: Int, _ key: Case, _ entry: CorpusEntry, before: TimingSeries?
  ) throws -> Response<TimingSeries> {
    let needsWarmUp = round == 0 || (before?.medianEncodeSeconds ?? 0) < Self.warmUpBelow
    guard let description = plan.variants.first(where: { $0.variant == key.variant }) else {
      return .failed(.unsupported("a codec that is not in the plan"))
    }
    let request = TimeQuestion(
      description, key.quality, warmUps: needsWarmUp ? 1 : 0, repeats: 1...maximumRepeats,
      seconds: minimumSeconds / Double(Self.rounds))
    let first = try ask(request, entry)
    guard first.failure?.isWorthRetrying == true else { return first }
    return try ask(request, entry)
  }

  /// The median seconds of a few encodes with the first variant, on the first image that can be opened.
  private func calibrate() throws -> Double? {
    guard let description = plan.variants.first, !plan.qualities.isEmpty else { return nil }
    let request = TimeQuestion(
      description, plan.qualities[plan.qualities.count / 2], warmUps: 1,
      repeats: 5...max(5, maximumRepeats), seconds: 0.5)
    for entry in plan.entries where entry.problem == nil && !hasStopped {
      let response = try ask(request, entry)
      if let series = response.value { return series.medianEncodeSeconds }
      guard response.failure != nil else { return nil }
    }
    return nil
  }

  private func ask(_ request: TimeQuestion, _ entry: CorpusEntry) throws -> Response<TimingSeries> {
    let calls = request.warmUps + request.minimumRepeats
    let limit =
      configuration.timeout(pixels: entry.pixels, repeats: calls)
      * (configuration.timeout == nil ? 1 : Double(calls))
      + 2 * Double(request.minimumNanoseconds) / 1e9
    return try pool.sessions[0].time(request, of: entry.file, within: limit)
  }
}

private struct TimingCourse {
  var summary = TimingSummary()
  var generator = SeededGenerator(seed: 1)

  private let start = MonotonicClock.now()
  /// The end of the first turn, which includes loading libraries and calibrating.
  private var first: (at: Int64, turns: Int)?
  /// Seconds of turns needed to estimate the remaining time.
  private static let leastSeconds = 3.0
  private let turns: Int
  private var turnsDone = 0

  init(turns: Int) { self.turns = turns }

  mutating func progress() -> SweepProgress {
    turnsDone += 1
    let now = MonotonicClock.now()
    let first = first ?? (now, turnsDone)
    self.first = first
    var progress = SweepProgress(
      total: turns / TimingPass.rounds, done: turnsDone / TimingPass.rounds,
      elapsed: Double(now - start) / 1e9)
    let (seconds, counted) = (Double(now - first.at) / 1e9, turnsDone - first.turns)
    if seconds >= Self.leastSeconds, counted > 0 {
      progress.remaining = seconds / Double(counted) * Double(max(0, turns - turnsDone))
    }
    return progress
  }
}

struct TimingSummary: Sendable, Hashable {
  var timed = 0
  /// Points that could not be timed; the sweep has recorded most of them as failed or unsupported.
  var failed = 0
  /// How much slower the calibration encode was at the end than at the start, per cent; nil without calibration.
  var driftPercent: Double?
  var wasCancelled = false
  var ranOutOfTime = false
}

extension TimingSeries {
  /// The median wall time of the encodes, seconds; 0 without samples.
  var medianEncodeSeconds: Double {
    (encode.map { Double($0.wallNanoseconds) }.median ?? 0) / 1e9
  }

  func followed(by more: TimingSeries) -> TimingSeries {
    var all = self
    for operation in TimedOperation.allCases { all[operation] += more[operation] }
    return all
  }
}
