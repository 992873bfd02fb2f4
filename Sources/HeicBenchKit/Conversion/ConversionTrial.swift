import Analysis
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Pixels
import Reports
import Synchronization
import Workers

/// A codec with its settings and the score to reach, which is a row of the answer.
struct ConversionGoal: Sendable {
  let asked: VariantDescription
  /// Much faster settings of the codec, tried first; nil if it has none, and for lossless conversion.
  var quick: VariantDescription?
  /// Nil for lossless conversion.
  let score: Double?
  let range: ClosedRange<Int>
  /// The index of the goal with halved chroma that this goal, with full chroma, competes with.
  var rival: Int?

  /// The settings of the first pass.
  var first: VariantDescription { quick ?? asked }
}

/// Converts the files of a sample in workers. The first pass finds, with each codec's fast settings, the quality at
/// which each file reaches the score, beginning with two files that tell the others where to start. The second
/// (`settle`) finds the one quality to set with the requested settings, and encodes all files at it.
final class ConversionTrial: Sendable {
  /// The result of the first pass for a file; the bytes are those of the picture only.
  struct Finding: Sendable {
    var outcome: TriedConversion.Outcome
    /// The place on the quality scale at which the file reaches the score.
    var native: Double?
  }

  struct Place: Hashable {
    let file, goal: Int
  }

  /// The quality at which to make a goal's files.
  enum Setting: Sendable, Equatable {
    case native(Int)
    case outOfReach
  }

  struct State: Sendable {
    /// By file and variant.
    var tries: [Int: [CodecVariant: CurveTries]] = [:]
    var found: [Place: Finding] = [:]
    /// Files that failed with the requested settings in the second pass.
    var lost: [Place: TriedConversion.Outcome] = [:]
    /// By goal, once all files have been encoded at the setting.
    var settled: [Int: Setting] = [:]
    /// The quality at which a goal's files are tried in the second pass.
    var aims: [Int: Int] = [:]
    /// Goals that have lost to their rivals.
    var dropped: Set<Int> = []
    /// Codecs whose encodes have their own profile, by file.
    var profiled: [Int: Set<String>] = [:]
    var done = 0
    var wasStopped = false
    var ranOutOfTime = false
  }

  static let metric = MetricTraits.headline.id
  /// The number of files that set the starting point for all others, so that nothing depends on the order of measuring.
  static let pilots = 2

  let sample: FolderSample
  let goals: [ConversionGoal]
  let configuration: RunnerConfiguration
  let cancellation: Cancellation
  /// Deadline on `MonotonicClock`; nil for none.
  let end: Int64?
  let state = Mutex(State())

  init(
    _ sample: FolderSample, _ goals: [ConversionGoal], _ configuration: RunnerConfiguration,
    _ cancellation: Cancellation, end: Int64?
  ) {
    (self.sample, self.goals, self.configuration) = (sample, goals, configuration)
    (self.cancellation, self.end) = (cancellation, end)
  }

  var wasStopped: Bool { state.withLock(\.wasStopped) }
  var ranOutOfTime: Bool { state.withLock(\.ranOutOfTime) }

  /// Codecs that accept the same pixels share a worker's image and therefore a group.
  func groups(_ goals: [Int]) -> [[Int]] {
    goals.grouped { [preparation(self.goals[$0]).canonicalSpelling, "\(self.goals[$0].score == nil)"] }
  }

  /// The first pass: goes through the images in the order of the sample, each in all codecs. Rivals come last, so that
  /// a first figure does not wait for them.
  /// - Parameter progress: Receives the number of files done; called from several threads.
  func run(progress: @escaping @Sendable (Int) -> Void) throws {
    let first = goals.indices.filter { goals[$0].rival == nil }
    for stage in [first, goals.indices.filter { !first.contains($0) }] where !stage.isEmpty {
      try run(stage, progress: progress)
    }
    dropRivals()
  }

  private func run(_ stage: [Int], progress: @escaping @Sendable (Int) -> Void) throws {
    let groups = groups(stage)
    let rest = Array(sample.order.dropFirst(Self.pilots))
    let chunk = groups.count > 1 ? configuration.jobs : max(rest.count, 1)
    let chunks = stride(from: 0, to: rest.count, by: chunk).map { Array(rest[$0...].prefix(chunk)) }
    state.withLock { $0.done = 0 }
    for files in [Array(sample.order.prefix(Self.pilots))] + chunks {
      for (number, group) in groups.enumerated() {
        guard !wasStopped, !isOver() else { return }
        try run(files, group) { [self] file, preparation, slot, isLast in
          for goal in group {
            let place = Place(file: file, goal: goal)
            guard state.withLock({ $0.found[place] == nil }) else { continue }
            guard let finding = try find(place, preparation, slot, isLast: isLast) else { return false }
            state.withLock { $0.found[place] = finding }
          }
          guard number == groups.count - 1 else { return true }
          progress(
            state.withLock {
              $0.done += 1
              return $0.done
            })
          return true
        }
      }
    }
  }

  /// Returns true, and remembers it, once the deadline has passed.
  func isOver() -> Bool {
    guard let end, MonotonicClock.now() >= end else { return false }
    state.withLock { ($0.ranOutOfTime, $0.wasStopped) = (true, true) }
    return true
  }

  private func preparation(_ goal: ConversionGoal) -> Preparation {
    PlanBuilder(registry: .standard).preparation(for: [goal.asked])
  }

  /// Opens files in workers and calls `work` on each for a group of goals; it returns false if the worker was lost.
  func run(
    _ files: [Int], _ group: [Int],
    work: @escaping @Sendable (_ file: Int, Preparation, WorkerSlot, _ isLast: Bool) throws -> Bool
  ) throws {
    guard let first = group.first else { return }
    let metrics = goals[first].score == nil ? [] : [Self.metric]
    let preparation = preparation(goals[first])
    let pool = WorkerPool(configuration, preparation: preparation, metrics: metrics)
    cancellation.perform { pool.cancel() }
    try pool.run(
      files, pixels: { self.sample.entries[$0].file.pixels },
      round: { [self] in
        if isOver() { pool.cancel() }
      }
    ) { file, slot, isLast in
      if isLast { slot.retire() }
      return try work(file, preparation, slot, isLast) || pool.isCancelled ? .done : .again(file)
    }
    if pool.isCancelled { state.withLock { $0.wasStopped = true } }
  }

  /// Tries qualities of a file until the one that reaches the score is known; nil if its worker was lost or cancelled.
  private func find(
    _ place: Place, _ preparation: Preparation, _ slot: WorkerSlot, isLast: Bool
  ) throws -> Finding? {
    let goal = goals[place.goal]
    let variant = goal.first.variant
    let plan = goal.score.map { search(place, goal, variant, at: $0) }
    while true {
      // Lossless packing gives the same file at any quality.
      var native = (goal.range.lowerBound + goal.range.upperBound) / 2
      if let plan {
        let tries = state.withLock { $0.tries[place.file]?[variant] } ?? CurveTries()
        switch plan.next(tries) {
        case .try(let next): native = next
        case .outOfReach: return Finding(outcome: .outOfReach)
        case .found(let found):
          return Finding(
            outcome: .converted(bytes: Int(found.bytes.rounded()), seconds: found.nearest.seconds),
            native: found.native)
        }
      }
      switch try attempt(place.file, goal, goal.first, native, preparation, slot, isLast: isLast) {
      case nil: return nil
      case .entered?: continue
      case .ended(let outcome)?: return Finding(outcome: outcome)
      }
    }
  }

  enum Attempt {
    /// A scored encode, now among the tries.
    case entered
    /// The file's final outcome with this codec: converted without loss, or not convertible.
    case ended(TriedConversion.Outcome)
  }

  /// Encodes a file at a quality and scores it; nil if its worker was lost or cancelled.
  func attempt(
    _ file: Int, _ goal: ConversionGoal, _ description: VariantDescription, _ native: Int,
    _ preparation: Preparation, _ slot: WorkerSlot, isLast: Bool
  ) throws -> Attempt? {
    let variant = description.variant
    let least = lowestQuality(like: native, goal)
    // The same encode exists already.
    let known = state.withLock { state in
      let known = state.tries[file]?[variant]?[least]
      if let known { state.tries[file, default: [:]][variant, default: .init()][native] = known }
      return known
    }
    guard known == nil else { return .entered }
    let outcome = try encode(file, description, least, preparation, slot)
    switch outcome {
    case nil: return nil
    case .failed(let failure)? where failure.isWorthRetrying && !isLast: return nil
    case .failed(let failure)?: return .ended(.failed(failure.message))
    case .unsupported(let reason)?: return .ended(.impossible(reason))
    case .measured(let figures)?:
      let seconds = Double(figures.timing.encode.first?.cpuNanoseconds ?? 0) / 1e9
      if figures.figures[.metadata] ?? 0 > 0 {
        state.withLock { _ = $0.profiled[file, default: []].insert(variant.codec) }
      }
      guard let wanted = goal.score else {
        return .ended(.converted(bytes: figures.encodedBytes, seconds: seconds))
      }
      guard let score = figures.scores[Self.metric] else {
        return .ended(.failed("\(Self.metric)=\(Numerals.short(wanted)) is not defined for this image"))
      }
      let tried = CurveTries.Try(bytes: figures.encodedBytes, score: score, seconds: seconds)
      state.withLock { state in
        for quality in [native, least] {
          state.tries[file, default: [:]][variant, default: .init()][quality] = tried
        }
      }
      return .entered
    }
  }

  /// The lowest quality that gives the same files.
  func lowestQuality(like native: Int, _ goal: ConversionGoal) -> Int {
    let variant = goal.asked.variant
    let codec = CodecRegistry.standard.codec(variant.codec)
    return max(codec?.lowestQuality(like: native, variant) ?? native, goal.range.lowerBound)
  }

  private func encode(
    _ file: Int, _ description: VariantDescription, _ native: Int, _ preparation: Preparation,
    _ slot: WorkerSlot
  ) throws -> PointOutcome? {
    guard let quality = Quality(native: native) else {
      return .failed(Failure(kind: .broken, message: "no quality"))
    }
    let entry = sample.entries[file]
    let key = Case(
      image: entry.identity, preparation: preparation.canonicalSpelling, variant: description.variant,
      quality: quality, libraries: description.librariesInKey)
    return try slot.measure(
      key, of: entry.file, repeats: 1,
      conditions: configuration.jobs == 1 ? .single : .contended, isByProgram: true
    ).outcome
  }

  /// Where a score usually lies on x265's quality scale, for camera photographs; other codecs' searches start there,
  /// too.
  private static func usualPlace(of score: Double) -> Double {
    score < 80 ? 50 - (80 - score) * 0.7 : 50 + (score - 80) * 2.8
  }

  /// A search that starts where other files reach the score.
  private func search(
    _ place: Place, _ goal: ConversionGoal, _ variant: CodecVariant, at score: Double
  ) -> CurveSearch {
    state.withLock { state in
      let pilots = sample.order.prefix(Self.pilots)
      let files = pilots.contains(place.file) ? [] : pilots
      let findings = files.compactMap { state.found[Place(file: $0, goal: place.goal)] }
      // If no quality was enough for the others, the best one comes first.
      let isBeyond = !findings.isEmpty && findings.allSatisfy { $0.outcome == .outOfReach }
      let start =
        isBeyond
        ? Double(goal.range.upperBound) : findings.compactMap(\.native).median ?? Self.usualPlace(of: score)
      let tries = state.tries[place.file]?[variant]
      return CurveSearch(
        range: goal.range, score: score,
        start: Int(min(max(start, Double(goal.range.lowerBound)), Double(goal.range.upperBound)).rounded()),
        likely: tries?.slope(at: score) ?? slope(of: Array(files), [variant], at: score, state),
        earlier: tries?.known.count ?? 0)
    }
  }

  /// The median slope of the files' curves, each from the first variant that has one.
  func slope(of files: [Int], _ variants: [CodecVariant], at score: Double, _ state: State) -> CurveTries
    .Slope?
  {
    let slopes = files.compactMap { file in
      variants.compactMap { state.tries[file]?[$0]?.slope(at: score) }.first
    }
    guard let native = slopes.map(\.native).median, let bytes = slopes.map(\.bytes).median else { return nil }
    return CurveTries.Slope(native: native, bytes: bytes)
  }
}
