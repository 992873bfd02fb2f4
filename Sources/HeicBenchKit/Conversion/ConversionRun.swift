import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Synchronization
import Workers

struct ConversionRun {
  static let metric = MetricTraits.headline.id

  let request: ConversionRequest
  let cancellation: Cancellation
  let events: @Sendable (JobEvent) -> Void
  /// Deadline on `MonotonicClock`; nil for none.
  private let end: Int64?
  private let registry = CodecRegistry.standard

  init(
    request: ConversionRequest, cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void
  ) {
    (self.request, self.cancellation, self.events) = (request, cancellation, events)
    end = request.budget.map { MonotonicClock.now() + Int64($0 * 1e9) }
  }

  func run() throws -> ConversionOutcome {
    defer { cancellation.release() }
    let entries = try request.images.entries(to: "check")
    let usable = entries.filter { $0.problem == nil }
    guard !usable.isEmpty else {
      let problem = entries.first?.problem?.message ?? ""
      throw HeicBenchError(
        .noInput, "none of the files can be used; “\(entries[0].identity.name)”: \(problem)")
    }
    for entry in entries.filter({ $0.problem != nil }).prefix(3) {
      events(.notice("“\(entry.identity.name)” is left out: \(entry.problem?.message ?? "")"))
    }
    let sample = FolderSample(request.sample, of: usable, seed: request.seed)
    let survey = FolderSurvey(
      usable, sample: sample, registry: registry, notice: { events(.notice($0)) })
    let variants = try variants(for: usable)
    let forecast = ConversionForecast(
      files: sample.entries.map { ($0.identity, $0.file.pixels) },
      searches: variants.lossy.count * request.scores.count, packs: variants.lossless.count, events: events)
    let tries = TryRunner(
      sample: sample, registry: registry, configuration: try configuration(), cancellation: cancellation,
      end: end, kept: survey.keptBytes, forecast: forecast)
    var projections: [ConversionProjection] = []
    for variant in variants.lossy {
      for score in request.scores.sorted() {
        let files = try tries.search(variant, score: score)
        projections.append(
          ConversionProjection(variant.variant, score: score, files: files, kinds: sample.kinds))
      }
    }
    for variant in variants.lossless {
      projections.append(
        ConversionProjection(
          variant.variant, score: nil, files: try tries.recompress(variant), kinds: sample.kinds))
    }
    events(.ended)
    if tries.wasCancelled {
      projections = projections.compactMap { .soFar($0.variant, score: $0.score, files: $0.files) }
    }
    var folder = ConversionReport.Folder(
      name: request.images.rootNames(of: try request.images.sources()).joined(separator: ", "),
      formats: survey.formats, unusable: entries.filter { $0.problem != nil }.map(\.identity.name),
      contents: survey.contents.found, sample: sample.entries.count, seed: request.seed)
    folder.isUnfinished = tries.wasCancelled
    return ConversionOutcome(
      wasInterrupted: tries.wasCancelled, ranOutOfTime: tries.ranOutOfTime,
      report: ConversionReport(folder: folder, projections: projections))
  }

  private func configuration() throws -> RunnerConfiguration {
    try request.workers.configuration(limits: request.images.limits)
  }

  /// The named codecs with their settings, or else all usable ones.
  private func variants(
    for entries: [CorpusEntry]
  ) throws -> (lossy: [VariantDescription], lossless: [VariantDescription]) {
    let formats = Set(entries.compactMap(\.header?.format))
    var wanted = request.codecs
    if wanted.isEmpty {
      let there = registry.codecs.map(\.traits).filter { !$0.isHidden && $0.absence == nil }
      wanted = there.map { CodecVariant(codec: $0.id) }.filter { $0.codec != "jpeg" || formats != ["jpeg"] }
      if formats.contains("jpeg"), there.contains(where: { $0.id == "jxl" }) {
        wanted.append(CodecVariant(codec: "jxl", settings: ["recompress": "true"]))
      }
    }
    let described = try PlanBuilder(registry: registry).describe(wanted)
    let isLossless = { [registry] (description: VariantDescription) in
      registry.codec(description.variant.codec)?.recompresses(description.variant) ?? false
    }
    return (described.filter { !isLossless($0) }, described.filter(isLossless))
  }
}

/// Facts about every file of a folder, found without decoding.
private struct FolderSurvey {
  private(set) var formats: [ConversionReport.Format] = []
  private(set) var contents = FolderContents()
  /// Bytes of metadata that a converter copies: Exif with its thumbnail, and XMP. Encoded files include profiles.
  private(set) var keptBytes: [ImageIdentity: Int] = [:]

  init(
    _ entries: [CorpusEntry], sample: FolderSample, registry: CodecRegistry, notice: (String) -> Void
  ) {
    var byFormat: [String: ConversionReport.Format] = [:]
    for entry in entries {
      let format = FolderSample.format(entry)
      byFormat[format, default: .init(name: format, files: 0, bytes: 0)].add(entry.fileBytes)
      do {
        let file = try SourceFile.bytes(at: entry.path)
        let found = try registry.reader(for: file)?.contents(of: file) ?? FileContents()
        contents.add(found)
        let kept = [.exif, .exifThumbnail, .xmp].map(found.bytes(of:)).reduce(0, +)
        keptBytes[entry.identity] = min(kept, file.count)
      } catch {
        notice("what “\(entry.identity.name)” holds beside its picture cannot be told: \(error)")
      }
    }
    for entry in sample.entries { byFormat[FolderSample.format(entry)]?.sample += 1 }
    formats = byFormat.values.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }
}

private final class TryRunner {
  private let sample: FolderSample
  private let registry: CodecRegistry
  private let configuration: RunnerConfiguration
  private let cancellation: Cancellation
  private let kept: [ImageIdentity: Int]
  private let forecast: ConversionForecast
  private let memory: PointMemory
  private let end: Int64?
  private(set) var wasCancelled = false
  private(set) var ranOutOfTime = false

  init(
    sample: FolderSample, registry: CodecRegistry, configuration: RunnerConfiguration,
    cancellation: Cancellation, end: Int64?, kept: [ImageIdentity: Int], forecast: ConversionForecast
  ) {
    (self.sample, self.registry, self.configuration) = (sample, registry, configuration)
    (self.cancellation, self.end, self.kept, self.forecast) = (cancellation, end, kept, forecast)
    memory = PointMemory { forecast.tried($0) }
  }

  /// Finds the lowest quality that keeps a score, file by file. Pixels have the depth and alpha that the codec
  /// supports.
  func search(_ variant: VariantDescription, score: Double) throws -> [TriedConversion] {
    guard !wasCancelled,
      let target = QualityTarget("\(ConversionRun.metric)=\(score)", metrics: MetricTraits.standard)
    else { return [] }
    let plan = PlanBuilder(registry: registry).plan(
      entries: sample.entries, variants: [variant], qualities: QualityList([]), target: target,
      metrics: [ConversionRun.metric])
    try measure(plan)
    return sample.entries.compactMap { entry in
      let known = plan.points(of: entry, variant, among: memory.points(of: entry.identity))
      let found = plan.target?.result(
        variant.variant, known: known.mapValues { FinishedPoint($0, metric: ConversionRun.metric) })
      // The search was stopped before it ended for this file, so the file is not reported.
      if wasCancelled, found == nil, memory.problem(of: entry.identity) == nil { return nil }
      let measurement = found?.quality.flatMap { known[$0]?.value }
      var outcome = outcome(of: measurement, of: entry, keeping: kept[entry.identity] ?? 0)
      if let found, measurement != nil, !found.isReached { outcome = .outOfReach }
      if let obstacle = found?.obstacle {
        outcome = known[obstacle]?.problem ?? .failed("\(target) is not defined for it")
      }
      return TriedConversion(
        image: entry.identity.name, fileBytes: entry.fileBytes, pixels: entry.file.pixels, outcome: outcome,
        quality: found?.quality, score: measurement?.scores[ConversionRun.metric],
        kind: sample.kind(of: entry))
    }
  }

  /// Packs JPEG files without loss; others stay as they are.
  func recompress(_ variant: VariantDescription) throws -> [TriedConversion] {
    guard !wasCancelled else { return [] }
    // Lossless packing gives the same file at any quality.
    let plan = PlanBuilder(registry: registry).plan(
      entries: sample.entries, variants: [variant],
      qualities: QualityList([Quality(thousandths: 500)].compactMap { $0 }), metrics: [])
    try measure(plan)
    return sample.entries.compactMap { entry in
      let packed = memory.points(of: entry.identity)[plan.points(of: entry)[0]]
      if wasCancelled, packed == nil, memory.problem(of: entry.identity) == nil { return nil }
      let outcome = packed?.problem ?? outcome(of: packed?.value, of: entry, keeping: 0)
      return TriedConversion(
        image: entry.identity.name, fileBytes: entry.fileBytes, pixels: entry.file.pixels, outcome: outcome,
        kind: sample.kind(of: entry))
    }
  }

  private func measure(_ plan: SweepPlan) throws {
    let forecast = forecast
    let runner = SweepRunner(
      plan: plan, configuration: configuration, sink: memory, finished: memory, end: end,
      progress: { forecast.show(done: $0.done) })
    cancellation.perform { runner.cancel() }
    let summary = try runner.run()
    wasCancelled = wasCancelled || summary.wasCancelled
    ranOutOfTime = ranOutOfTime || summary.ranOutOfTime
    forecast.close(isWhole: !summary.wasCancelled)
  }

  private func outcome(
    of measurement: Figures?, of entry: CorpusEntry, keeping kept: Int
  ) -> TriedConversion.Outcome {
    guard let measurement else { return .failed(memory.problem(of: entry.identity) ?? "it was not measured") }
    let nanoseconds = measurement.timing.encode.first?.cpuNanoseconds ?? 0
    let (bytes, overflow) = measurement.encodedBytes.addingReportingOverflow(kept)
    return .converted(bytes: overflow ? .max : bytes, seconds: Double(nanoseconds) / 1e9)
  }
}

/// Keeps measurements for the whole check: a search at another score starts where the last one ended.
private final class PointMemory: RecordSink, FinishedPoints {
  private let points = Mutex<[ImageIdentity: [Case: PointOutcome]]>([:])
  private let problems = Mutex<[ImageIdentity: String]>([:])
  private let tried: @Sendable (ImageIdentity) -> Void

  /// - Parameter tried: called for every point measured or failed.
  init(tried: @escaping @Sendable (ImageIdentity) -> Void) { self.tried = tried }

  func append(_ record: SweepRecord) {
    switch record {
    case .point(let point):
      points.withLock { $0[point.key.image, default: [:]][point.key] = point.outcome }
      tried(point.key.image)
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

extension PointOutcome {
  /// The outcome without a measurement; nil if there is one.
  fileprivate var problem: TriedConversion.Outcome? {
    switch self {
    case .measured: nil
    case .unsupported(let reason): .impossible(reason)
    case .failed(let failure): .failed(failure.message)
    }
  }
}
