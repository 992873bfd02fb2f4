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

/// A codec with its settings and the score to keep: a row of the answer.
struct ConversionGoal: Sendable {
  let asked: VariantDescription
  /// Much faster settings of the codec, tried first; nil if it has none, and without loss.
  let quick: VariantDescription?
  /// Nil without loss.
  let score: Double?
  let range: ClosedRange<Int>
}

/// Converts the files of a sample in workers, in two passes: with the fast settings of each codec, and then with those
/// asked for, near the quality that the first has found. Each pass begins with two files, which show the others where.
final class ConversionTrial: Sendable {
  enum Pass: Sendable { case quick, asked }

  /// The fate of a file; the bytes are those of the picture alone.
  private struct Finding: Sendable {
    var outcome: TriedConversion.Outcome
    var native: Double?
    var score: Double?
  }

  private struct Place: Hashable {
    let file, goal: Int
    let isQuick: Bool
  }

  private struct State: Sendable {
    /// By file and variant.
    var tries: [Int: [CodecVariant: CurveTries]] = [:]
    var found: [Place: Finding] = [:]
    /// Codecs whose files have a profile of their own, by file.
    var profiled: [Int: Set<String>] = [:]
    var done = 0
    var wasStopped = false
    var ranOutOfTime = false
  }

  private static let metric = MetricTraits.headline.id
  /// Files from which all others learn where to begin, so that nothing depends on which of them is done first.
  private static let pilots = 2

  let sample: FolderSample
  let goals: [ConversionGoal]
  let configuration: RunnerConfiguration
  let cancellation: Cancellation
  /// Deadline on `MonotonicClock`; nil for none.
  let end: Int64?
  private let state = Mutex(State())

  init(
    _ sample: FolderSample, _ goals: [ConversionGoal], _ configuration: RunnerConfiguration,
    _ cancellation: Cancellation, end: Int64?
  ) {
    (self.sample, self.goals, self.configuration) = (sample, goals, configuration)
    (self.cancellation, self.end) = (cancellation, end)
  }

  var wasStopped: Bool { state.withLock(\.wasStopped) }
  var ranOutOfTime: Bool { state.withLock(\.ranOutOfTime) }

  /// Goes through the files, image by image in all codecs, in the order of the sample.
  /// - Parameter progress: Receives the number of files done; called from several threads.
  func run(_ pass: Pass, progress: @escaping @Sendable (Int) -> Void) throws {
    let wanted = goals.indices.filter { pass == .quick || goals[$0].quick != nil }
    // Codecs that take the same pixels share a worker's image.
    let groups = wanted.grouped { [preparation(goals[$0]).canonicalSpelling, "\(goals[$0].score == nil)"] }
    let rest = Array(sample.order.dropFirst(Self.pilots))
    let chunk = groups.count > 1 ? configuration.jobs : max(rest.count, 1)
    let chunks = stride(from: 0, to: rest.count, by: chunk).map { Array(rest[$0...].prefix(chunk)) }
    state.withLock { $0.done = 0 }
    for files in [Array(sample.order.prefix(Self.pilots))] + chunks {
      for (number, group) in groups.enumerated() {
        guard !wasStopped, !isOver() else { return }
        try run(pass, files, group) { [self] in
          guard number == groups.count - 1 else { return }
          progress(
            state.withLock {
              $0.done += 1
              return $0.done
            })
        }
      }
    }
  }

  /// True, and kept in mind, once the deadline has passed.
  private func isOver() -> Bool {
    guard let end, MonotonicClock.now() >= end else { return false }
    state.withLock { ($0.ranOutOfTime, $0.wasStopped) = (true, true) }
    return true
  }

  private func preparation(_ goal: ConversionGoal) -> Preparation {
    PlanBuilder(registry: .standard).preparation(for: [goal.asked])
  }

  private func run(
    _ pass: Pass, _ files: [Int], _ group: [Int], ended: @escaping @Sendable () -> Void
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
    ) { [self] file, slot, isLast in
      for goal in group {
        let place = Place(file: file, goal: goal, isQuick: pass == .quick && goals[goal].quick != nil)
        guard isOpen(place) else { continue }
        guard let finding = try find(place, preparation, slot, isLast: isLast) else {
          return pool.isCancelled ? .done : .again(file)
        }
        state.withLock { $0.found[place] = finding }
      }
      ended()
      return .done
    }
    if pool.isCancelled { state.withLock { $0.wasStopped = true } }
  }

  /// False for what is found already, and for files that the codec has refused or failed at before.
  private func isOpen(_ place: Place) -> Bool {
    state.withLock { state in
      guard state.found[place] == nil else { return false }
      let earlier = state.found[Place(file: place.file, goal: place.goal, isQuick: true)]?.outcome
      return switch earlier {
      case nil, .converted, .outOfReach: true
      case .impossible, .failed: false
      }
    }
  }

  /// Tries qualities of a file until its bytes at the score are known; nil if its worker was lost or cancelled.
  private func find(
    _ place: Place, _ preparation: Preparation, _ slot: WorkerSlot, isLast: Bool
  ) throws -> Finding? {
    let goal = goals[place.goal]
    let description = place.isQuick ? goal.quick ?? goal.asked : goal.asked
    if isLast { slot.retire() }
    let plan = goal.score.map { search(place, goal, description.variant, at: $0) }
    while true {
      // Lossless packing gives the same file at any quality.
      var native = (goal.range.lowerBound + goal.range.upperBound) / 2
      if let plan {
        let tries = state.withLock { $0.tries[place.file]?[description.variant] } ?? CurveTries()
        switch plan.next(tries) {
        case .try(let next): native = next
        case .outOfReach: return Finding(outcome: .outOfReach)
        case .found(let found):
          return Finding(
            outcome: .converted(bytes: Int(found.bytes.rounded()), seconds: found.nearest.seconds),
            native: found.native, score: found.nearest.score)
        }
      }
      let outcome = try encode(place.file, description, native, preparation, slot)
      switch outcome {
      case nil: return nil
      case .failed(let failure)? where failure.isWorthRetrying && !isLast: return nil
      case .failed(let failure)?: return Finding(outcome: .failed(failure.message))
      case .unsupported(let reason)?: return Finding(outcome: .impossible(reason))
      case .measured(let figures)?:
        let seconds = Double(figures.timing.encode.first?.cpuNanoseconds ?? 0) / 1e9
        if figures.figures[.metadata] ?? 0 > 0 {
          state.withLock { _ = $0.profiled[place.file, default: []].insert(description.variant.codec) }
        }
        guard let wanted = goal.score else {
          return Finding(outcome: .converted(bytes: figures.encodedBytes, seconds: seconds))
        }
        guard let score = figures.scores[Self.metric] else {
          return Finding(outcome: .failed("\(Self.metric)=\(Numerals.short(wanted)) is not defined for it"))
        }
        state.withLock {
          $0.tries[place.file, default: [:]][description.variant, default: .init()][native] = .init(
            bytes: figures.encodedBytes, score: score, seconds: seconds)
        }
      }
    }
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
      conditions: configuration.jobs == 1 ? .single : .contended
    ).outcome
  }

  /// The place of a score on x265's scale, in photographs of cameras; other codecs' searches start there for want of a
  /// better one.
  private static func usualPlace(of score: Double) -> Double {
    score < 80 ? 50 - (80 - score) * 0.7 : 50 + (score - 80) * 2.8
  }

  /// A search that starts where other files, or the fast settings, have the score.
  private func search(
    _ place: Place, _ goal: ConversionGoal, _ variant: CodecVariant, at score: Double
  ) -> CurveSearch {
    state.withLock { state in
      func found(_ isQuick: Bool, _ file: Int) -> Double? {
        state.found[Place(file: file, goal: place.goal, isQuick: isQuick)]?.native
      }
      let pilots = sample.order.prefix(Self.pilots)
      let files = pilots.contains(place.file) ? [] : pilots
      var start = files.compactMap { found(place.isQuick, $0) }.median ?? Self.usualPlace(of: score)
      if !place.isQuick, goal.quick != nil, let own = found(true, place.file) {
        let shifts = files.compactMap { file in
          found(false, file).flatMap { asked in found(true, file).map { asked - $0 } }
        }
        start = own + (shifts.median ?? 0)
      }
      let variants = [goal.quick, goal.asked].compactMap { $0?.variant }
      let slopes = files.compactMap { file in
        variants.compactMap { state.tries[file]?[$0]?.slope(at: score) }.first
      }
      let own = variants.compactMap { state.tries[place.file]?[$0]?.slope(at: score) }.first
      let likely = CurveTries.Slope(
        native: own?.native ?? slopes.map(\.native).median ?? .nan,
        bytes: own?.bytes ?? slopes.map(\.bytes).median ?? .nan)
      return CurveSearch(
        range: goal.range, score: score,
        start: Int(min(max(start, Double(goal.range.lowerBound)), Double(goal.range.upperBound)).rounded()),
        likely: likely.native.isNaN ? nil : likely,
        earlier: state.tries[place.file]?[variant]?.known.count ?? 0)
    }
  }

  /// The files done so far for each goal; while some are missing, those that are done for all.
  func tried() -> [[TriedConversion]] {
    state.withLock { state in
      func finding(_ file: Int, _ goal: Int) -> (finding: Finding, quick: Finding?, isQuick: Bool)? {
        let quick = state.found[Place(file: file, goal: goal, isQuick: true)]
        if let asked = state.found[Place(file: file, goal: goal, isQuick: false)] {
          return (asked, quick, false)
        }
        return quick.map { ($0, nil, true) }
      }
      let files = sample.entries.indices.filter { file in
        goals.indices.allSatisfy { finding(file, $0) != nil }
      }
      return goals.indices.map { goal in
        files.compactMap { file in
          finding(file, goal).map { found in
            let hasProfile = state.profiled[file]?.contains(goals[goal].asked.variant.codec) ?? false
            return conversion(
              file, goal, found.finding, quick: found.quick, isQuick: found.isQuick,
              more: keptBytes(file, goal, hasProfile: hasProfile))
          }
        }
      }
    }
  }

  /// Bytes of what the codec's program keeps beside the picture; a file packed without loss has all in it.
  private func keptBytes(_ file: Int, _ goal: Int, hasProfile: Bool) -> Int {
    let (entry, goal) = (sample.entries[file], goals[goal])
    guard goal.score != nil, let contents = try? entry.contents?.get() else { return 0 }
    let format = FolderSample.format(entry)
    let tool = ConversionTool.of(goal.asked.variant, from: format)
    return tool.keptBytes(of: contents, from: format, hasOwnProfile: hasProfile)
  }

  private func conversion(
    _ file: Int, _ goal: Int, _ finding: Finding, quick: Finding?, isQuick: Bool, more: Int
  ) -> TriedConversion {
    let (entry, range) = (sample.entries[file], goals[goal].range)
    func whole(_ outcome: TriedConversion.Outcome) -> TriedConversion.Outcome {
      guard case .converted(let bytes, let seconds) = outcome else { return outcome }
      return .converted(bytes: bytes +| more, seconds: seconds)
    }
    let quality = finding.native.flatMap { native in
      Quality(native: Int(min(max(native.rounded(.up), Double(range.lowerBound)), Double(range.upperBound))))
    }
    var tried = TriedConversion(
      image: entry.identity.name, fileBytes: entry.fileBytes, pixels: entry.file.pixels,
      outcome: whole(finding.outcome), quality: quality, score: finding.score, kind: sample.kind(of: entry))
    // A refusal by the codec holds for any settings.
    if case .converted = finding.outcome { tried.isQuick = isQuick }
    if case .outOfReach = finding.outcome { tried.isQuick = isQuick }
    if let quick, case .converted(let bytes, _) = whole(quick.outcome) { tried.quickBytes = bytes }
    return tried
  }

  /// The tries so far as a report. Files done so far that are no sample of each kind stand for themselves.
  func report(_ folder: ConversionFolder) -> ConversionReport {
    let rows = zip(goals, tried())
    var projections = rows.map { goal, files in
      ConversionProjection(goal.asked.variant, score: goal.score, files: files, kinds: sample.kinds)
    }
    let isProjected = projections.contains { $0.bytes != nil }
    if !isProjected {
      projections = rows.compactMap { .soFar($0.asked.variant, score: $0.score, files: $1) }
    }
    for (index, goal) in goals.enumerated() where index < projections.count {
      projections[index].quick = goal.quick?.variant
    }
    return ConversionReport(
      folder: folder, projections: projections, remarks: configuration.remarks?.tally ?? RemarkTally(),
      isProjected: isProjected, wasInterrupted: wasStopped,
      ranOutOfTime: ranOutOfTime)
  }
}

// The price.
extension ConversionTrial {
  /// Tries of a file with each settings, as a search that starts near the place takes.
  private static let tries = (quick: 2.2, asked: 1.3)
  /// CPU seconds of the fast settings against the others', and of a decode and a score for each megapixel.
  private static let (quickShare, scoring) = (0.18, 0.1)

  var passes: [Pass] { goals.contains { $0.quick != nil } ? [.quick, .asked] : [.quick] }

  /// `10 files of 121 megapixels: about 0:50 to a first answer, 4:10 to the whole (8 CPU minutes in 2 workers) …`
  var price: String {
    let pixels = sample.entries.reduce(0.0) { $0 + Double($1.file.pixels) } / 1e6
    var (first, second) = (0.0, 0.0)
    for goal in goals {
      let quality = goal.score.map { min(max($0 / 100 - 0.1, 0), 1) } ?? 0.5
      let cost = CodecCost(of: goal.asked.variant)
      let encode = cost.seconds * cost.shape(Quality(thousandths: Int(quality * 1000)) ?? 0.5)
      let asked = goal.score == nil ? encode : Self.tries.asked * (encode + Self.scoring)
      if goal.quick != nil {
        first += pixels * Self.tries.quick * (encode * Self.quickShare + Self.scoring)
        second += pixels * asked
      } else {
        first += pixels * asked
      }
    }
    let workers = Double(max(1, min(configuration.jobs, sample.entries.count)))
    let whole = first + second
    // An interval takes five files.
    let share = min(1, Double(Bootstrap.minimumImages) / Double(max(sample.entries.count, 1)))
    let start = second > 0 ? "\(Numerals.duration(first * share / workers)) to a first answer, " : ""
    return
      "\(Numerals.counted(sample.entries.count, "file")) of \(Numerals.fixed(pixels, decimals: pixels < 10 ? 1 : 0)) "
      + "megapixels: about \(start)\(Numerals.duration(whole / workers)) to the whole "
      + "(\(Numerals.fixed(whole / 60, decimals: whole < 600 ? 1 : 0)) CPU minutes, "
      + "\(Numerals.counted(Int(workers), "worker"))); Ctrl-C and --budget answer with what is there, a smaller --sample "
      + "takes less"
  }
}
