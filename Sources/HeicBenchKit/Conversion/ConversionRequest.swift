import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Synchronization
import Workers

/// An estimate of whether converting the files of a folder pays: bytes saved, CPU time and loss. Measures a sample and
/// projects it; converts nothing and writes nothing.
package struct ConversionRequest: Request {
  package var images: ImageSource
  /// Target codecs; empty for all that can be used here, with JPEG only if there are files of other formats.
  package var codecs: [CodecVariant] = []
  /// Scores (SSIMULACRA2) that converted files must keep against the original file; 90 is visually lossless.
  package var scores: [Double] = [90]
  /// Number of files measured; the projection is exact if that is all of them.
  package var sample = 12
  /// Seed of the sample; the same folder, size and seed give the same files.
  package var seed: UInt64 = 1
  /// Time limit in seconds, after which the answer covers the files done; nil for none.
  package var budget: Double?
  package var workers = WorkerSettings()

  package init(images: ImageSource) { self.images = images }

  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ConversionReport {
    try HeicBenchError.mapping {
      try check()
      return try check(cancellation, events)
    }
  }

  private func check() throws(HeicBenchError) {
    try Limits.sample.check(sample)
    try Limits.budget.check(budget)
    try HeicBenchError.require(!scores.isEmpty, "there is no score to convert at")
    for score in scores where !MetricTraits.headline.isPossible(score) {
      throw HeicBenchError(
        .usage, "nothing can be converted at SSIMULACRA2 \(Numerals.short(score)), which is at most 100")
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "conversions are tried with the system’s libraries, not with “@\(build)”")
    }
  }

  private func check(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> ConversionReport {
    defer { cancellation.release() }
    let end = budget.map { MonotonicClock.now() + Int64($0 * 1e9) }
    let entries = try images.entries(to: "check")
    let usable = entries.filter { $0.problem == nil }
    let unusable = entries.filter { $0.problem != nil }
    guard !usable.isEmpty else {
      throw HeicBenchError(
        .noInput,
        "none of the files can be used; “\(entries[0].identity.name)”: \(entries[0].problem?.message ?? "")")
    }
    for entry in unusable.prefix(3) {
      events(.notice("“\(entry.identity.name)” is left out: \(entry.problem?.message ?? "")"))
    }
    let files = FolderSample(sample, of: usable, seed: seed)
    var folder = ConversionFolder(
      name: images.rootNames.joined(separator: ", "),
      unusable: unusable.map(\.identity.name), sample: files.entries.count, seed: seed)
    folder.survey(usable, files, registry: .standard) { events(.notice($0)) }
    let goals = try goals(for: usable)
    var tries = ConversionTries(
      sample: files, configuration: try workers.configuration(limits: images.limits),
      cancellation: cancellation, end: end, kept: folder.keptBytes)
    var projections: [ConversionProjection] = []
    for (number, goal) in goals.enumerated() {
      let tried = try tries.measure(goal.variant, score: goal.score) { done in
        events(
          .progress(
            done: number * files.entries.count + done, total: goals.count * files.entries.count))
      }
      projections.append(
        ConversionProjection(goal.variant.variant, score: goal.score, files: tried, kinds: files.kinds))
    }
    events(.ended)
    folder.isUnfinished = tries.wasCancelled
    if tries.wasCancelled {
      projections = projections.compactMap { .soFar($0.variant, score: $0.score, files: $0.files) }
    }
    return ConversionReport(folder: folder, projections: projections, ranOutOfTime: tries.ranOutOfTime)
  }

  /// The named codecs with their settings, or else all usable ones, at every score; those without loss last.
  private func goals(
    for entries: [CorpusEntry]
  ) throws -> [(variant: VariantDescription, score: Double?)] {
    let registry = CodecRegistry.standard
    let formats = Set(entries.compactMap(\.header?.format))
    var wanted = codecs
    if wanted.isEmpty {
      let there = registry.codecs.map(\.traits).filter { !$0.isHidden && $0.absence == nil }
      wanted = there.map { CodecVariant(codec: $0.id) }.filter { $0.codec != "jpeg" || formats != ["jpeg"] }
      if formats.contains("jpeg"), there.contains(where: { $0.id == "jxl" }) {
        wanted.append(CodecVariant(codec: "jxl", settings: ["recompress": "true"]))
      }
    }
    let described = try PlanBuilder(registry: registry).describe(wanted)
    let isLossless = { (description: VariantDescription) in
      registry.codec(description.variant.codec)?.recompresses(description.variant) ?? false
    }
    return described.filter { !isLossless($0) }.flatMap { variant in
      scores.sorted().map { (variant, $0) }
    } + described.filter(isLossless).map { ($0, nil) }
  }
}

/// Tries conversions of a sample by sweeps whose points stay in memory.
struct ConversionTries {
  private static let metric = MetricTraits.headline.id

  let sample: FolderSample
  let configuration: RunnerConfiguration
  let cancellation: Cancellation
  /// Deadline on `MonotonicClock`; nil for none.
  let end: Int64?
  let kept: [ImageIdentity: Int]
  private let memory = PointMemory()
  private(set) var wasCancelled = false
  private(set) var ranOutOfTime = false

  /// Finds the lowest quality that keeps a score, file by file, or packs JPEG files without loss and leaves others as
  /// they are. Pixels have the depth and alpha that the codec supports.
  /// - Parameter progress: receives the number of files done.
  mutating func measure(
    _ variant: VariantDescription, score: Double?, progress: @escaping @Sendable (Int) -> Void
  ) throws -> [TriedConversion] {
    guard !wasCancelled else { return [] }
    let target = score.flatMap {
      QualityTarget("\(Self.metric)=\($0)", metrics: MetricTraits.standard)
    }
    // Lossless packing gives the same file at any quality.
    let plan = PlanBuilder(registry: .standard).plan(
      entries: sample.entries, variants: [variant], qualities: QualityList(target == nil ? [0.5] : []),
      target: target, metrics: target == nil ? [] : [Self.metric])
    let runner = SweepRunner(
      plan: plan, configuration: configuration, sink: memory, finished: memory, end: end,
      progress: { progress($0.done) })
    cancellation.perform { runner.cancel() }
    let summary = try runner.run()
    wasCancelled = summary.wasCancelled
    ranOutOfTime = summary.ranOutOfTime
    return sample.entries.compactMap { conversion($0, variant, plan) }
  }

  private func conversion(
    _ entry: CorpusEntry, _ variant: VariantDescription, _ plan: SweepPlan
  ) -> TriedConversion? {
    let points = memory.points(of: entry.identity)
    var (quality, outcome): (Quality?, PointOutcome?)
    var isReached = true
    if let strategy = plan.target {
      let known = plan.points(of: entry, variant, among: points)
      let found = strategy.result(
        variant.variant, known: known.mapValues { FinishedPoint($0, metric: Self.metric) })
      quality = found?.quality
      isReached = quality == nil || found?.isReached == true
      outcome = (found?.quality ?? found?.obstacle).flatMap { known[$0] }
      if found?.obstacle != nil, outcome?.value != nil {
        outcome = .failed(
          Failure(kind: .metric, message: "\(strategy.target) is not defined for it"))
      }
    } else {
      outcome = points[plan.points(of: entry)[0]]
    }
    if wasCancelled, outcome == nil, memory.problem(of: entry.identity) == nil { return nil }
    return TriedConversion(
      image: entry.identity.name, fileBytes: entry.fileBytes, pixels: entry.file.pixels,
      outcome: isReached ? tried(outcome, entry, keepsMetadata: plan.target != nil) : .outOfReach,
      quality: quality, score: quality == nil ? nil : outcome?.value?.scores[Self.metric],
      kind: sample.kind(of: entry))
  }

  private func tried(
    _ outcome: PointOutcome?, _ entry: CorpusEntry, keepsMetadata: Bool
  ) -> TriedConversion.Outcome {
    switch outcome {
    case .measured(let figures):
      let more = keepsMetadata ? kept[entry.identity] ?? 0 : 0
      let nanoseconds = figures.timing.encode.first?.cpuNanoseconds ?? 0
      return .converted(
        bytes: saturatingSum(figures.encodedBytes, more), seconds: Double(nanoseconds) / 1e9)
    case .unsupported(let reason): return .impossible(reason)
    case .failed(let failure): return .failed(failure.message)
    case nil: return .failed(memory.problem(of: entry.identity) ?? "it was not measured")
    }
  }
}

/// Keeps measurements for the whole check: a search at another score starts where the last one ended.
private final class PointMemory: RecordSink, FinishedPoints {
  private typealias Image = (points: [Case: PointOutcome], problem: String?)
  private let images = Mutex<[ImageIdentity: Image]>([:])

  func append(_ record: SweepRecord) {
    images.withLock { images in
      switch record {
      case .point(let point): images[point.key.image, default: ([:], nil)].points[point.key] = point.outcome
      case .image(let image):
        if let problem = image.problem {
          images[image.identity, default: ([:], nil)].problem = problem.message
        }
      case .timing, .reuse: break
      }
    }
  }

  func points(of image: ImageIdentity) -> [Case: PointOutcome] {
    images.withLock { $0[image]?.points ?? [:] }
  }

  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> FinishedImage {
    FinishedImage(
      image: image, preparation: preparation,
      among: points(of: image).mapValues { FinishedPoint($0, metric: metric) })
  }

  func problem(of image: ImageIdentity) -> String? { images.withLock { $0[image]?.problem } }
}
