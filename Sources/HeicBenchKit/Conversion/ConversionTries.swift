import Codecs
import Metrics
import Model
import Synchronization
import Workers

/// Tries conversions of a sample by sweeps whose points stay in memory.
final class ConversionTries {
  private static let metric = MetricTraits.headline.id

  private let sample: FolderSample
  private let configuration: RunnerConfiguration
  private let cancellation: Cancellation
  private let kept: [ImageIdentity: Int]
  private let memory = PointMemory()
  /// Deadline on `MonotonicClock`; nil for none.
  private let end: Int64?
  private(set) var wasCancelled = false
  private(set) var ranOutOfTime = false

  init(
    _ sample: FolderSample, configuration: RunnerConfiguration, cancellation: Cancellation, end: Int64?,
    kept: [ImageIdentity: Int]
  ) {
    (self.sample, self.configuration) = (sample, configuration)
    (self.cancellation, self.end, self.kept) = (cancellation, end, kept)
  }

  /// Finds the lowest quality that keeps a score, file by file, or packs JPEG files without loss and leaves others as
  /// they are. Pixels have the depth and alpha that the codec supports.
  /// - Parameter progress: receives the number of files done.
  func measure(
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

  /// The conversion of a file; nil if it was stopped before it ended.
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
      let (bytes, overflow) = figures.encodedBytes.addingReportingOverflow(more)
      let nanoseconds = figures.timing.encode.first?.cpuNanoseconds ?? 0
      return .converted(bytes: overflow ? .max : bytes, seconds: Double(nanoseconds) / 1e9)
    case .unsupported(let reason): return .impossible(reason)
    case .failed(let failure): return .failed(failure.message)
    case nil: return .failed(memory.problem(of: entry.identity) ?? "it was not measured")
    }
  }
}

/// Keeps measurements for the whole check: a search at another score starts where the last one ended.
private final class PointMemory: RecordSink, FinishedPoints {
  private let points = Mutex<[ImageIdentity: [Case: PointOutcome]]>([:])
  private let problems = Mutex<[ImageIdentity: String]>([:])

  func append(_ record: SweepRecord) {
    switch record {
    case .point(let point):
      points.withLock { $0[point.key.image, default: [:]][point.key] = point.outcome }
    case .image(let image):
      if let problem = image.problem { problems.withLock { $0[image.identity] = problem.message } }
    case .timing, .reuse: break
    }
  }

  func points(of image: ImageIdentity) -> [Case: PointOutcome] { points.withLock { $0[image] ?? [:] } }

  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> FinishedImage {
    FinishedImage(
      image: image, preparation: preparation,
      among: points(of: image).mapValues { FinishedPoint($0, metric: metric) })
  }

  func problem(of image: ImageIdentity) -> String? { problems.withLock { $0[image] } }
}
