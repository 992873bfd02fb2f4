import Codecs
import Metrics
import Model
import Reports
import Store
import Workers

/// The cost of tiles: pictures cut at several tile sizes by several codecs, compared with the same pictures without
/// tiles, which are points as a sweep measures them. Writes `tiles.csv`, `tiles.md`, `tiles.html` and `tiles.json`, and
/// keeps every cut and point in the folder's store.
public struct TileCostRequest: Request {
  /// The pictures to cut.
  public var images: ImageSource
  /// Codecs with their settings; empty for JPEG and HEIC.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, for codecs that name them, such as `heic@new`; tiles of a build are decoded and
  /// scored by its own libraries.
  public var builds: [LibraryBuild] = []
  /// Positions on the quality axis.
  public var qualities: [Quality] = [0.5, 0.8]
  /// Identifiers of the metrics that score level 0 put together and the picture without tiles. SSIMULACRA 2, which sizes
  /// are compared at, is always one of them.
  public var metrics = [MetricTraits.headline.id]
  /// Sides of tiles in pixels, even numbers from 64 to 8192.
  public var tileSizes = [256, 512, 1024]
  /// Pixels that neighbouring tiles share on each side.
  public var overlap = 0
  /// The area in view at a time.
  public var viewport = PixelSize(width: 1920, height: 1080)
  /// Factor by which pictures are shrunk in each direction first, in linear light, 1 to 64.
  public var downscale = 1
  /// True if pictures are cut one at a time, which disturbs CPU times least.
  public var isExclusive = false
  /// The earlier results in the folder that are kept.
  public var reuse = Reuse.all
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The folder of the results. Cuts that it has are not made again.
  public var output: String

  /// Creates a request to cut pictures, with the results in a folder.
  public init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes the missing cuts and writes the results.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try check()
      return try measure(cancellation, events)
    }
  }

  /// Sides of tiles that can be compared, even numbers as grids need them.
  package static func isSide(_ side: Int) -> Bool { (64...8192).contains(side) && side.isMultiple(of: 2) }

  private func check() throws(HeicBenchError) {
    try HeicBenchError.require(!qualities.isEmpty, "there is no quality to cut at")
    try HeicBenchError.require(
      !tileSizes.isEmpty && tileSizes.allSatisfy(Self.isSide),
      "tiles have an even number of pixels from 64 to 8192")
    try HeicBenchError.require(
      (0...(tileSizes.min() ?? 0) / 2).contains(overlap),
      "tiles share 0 pixels to half the smallest tile, not \(overlap)")
    try Limits.downscale.check(downscale)
    for side in [viewport.width, viewport.height] { try Limits.side.check(side) }
    try HeicBenchError.requireFolder(output)
  }

  private func measure(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> CostOutcome {
    var configuration = try workers.configuration(limits: images.limits)
    if isExclusive { configuration.jobs = 1 }
    configuration.scoresThroughBuild = true
    let builds = try TriedBuilds(builds, namedBy: codecs, program: configuration.workerExecutable)
    configuration.builds = builds.builds
    let entries = try images.entries(to: "cut")
    if let notice = GainMaps.notice(of: entries) { events(.notice(notice)) }
    let plan = try plan(entries, builds)
    let files = try OutputFolder.results(at: output, refusing: TileReport.files.refuseObstacles)
    let store = try ResultStore(folder: output, options: .init(reuse))
    let runner = TileRunner(plan, configuration)
    cancellation.perform { runner.pool.cancel() }
    let known = try cut(plan, by: runner, into: store, events)
    cancellation.release()
    let question = TileQuestion(preparation: plan.preparation.canonicalSpelling, view: plan.view)
    try store.note(question)
    // Cuts of earlier calls count as well.
    let report = TileReport(try store.tilings(question), view: viewport)
    let feature = report.feature
    try feature.write(to: files, version: HeicBench.version)
    return CostOutcome(
      output, feature.sentences, known: known, keys: plan.keys, records: report.rows.map(\.record))
  }

  /// Makes the cuts that the store lacks. Returns how many it had.
  private func cut(
    _ plan: TilePlan, by runner: TileRunner, into store: ResultStore,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> Int {
    let preparation = plan.preparation.canonicalSpelling
    let further = Set(plan.metrics.dropFirst())
    let finished = try store.finished(
      .tiles, preparation: preparation,
      isEnough: further.isEmpty ? nil : { $0.figures.map { further.isSubset(of: $0.asked ?? []) } ?? true })
    @Sendable func isScored(_ figures: Figures?) -> Bool {
      plan.metrics.allSatisfy { figures?.scores[$0] != nil }
    }
    let wholes = try store.results(.whole) { [reuse] in
      reuse != .nothing && $0.preparation == preparation
    }.filter { isScored($0.figures) }
    let known = Set(wholes.map { $0.key.untiled(at: $0.key.quality) })
    let keys = plan.keys
    return try store.keep(
      ("cuts", "makes them"), all: keys.count, missing: keys.count { !finished.contains($0) }, events
    ) { sink in
      try runner.run(
        isKnown: finished.contains,
        points: { [reuse] image in
          guard reuse != .nothing else { return [] }
          let points = try store.points(of: image, preparation: preparation)
          return known.union(points.filter { isScored($0.value) }.keys)
        }, sink)
    }
  }

  private func plan(_ entries: [CorpusEntry], _ builds: TriedBuilds) throws -> TilePlan {
    let builder = PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: true)
    let variants = try builder.describe(codecs.isEmpty ? ["jpeg", "heic"].map { .init(codec: $0) } : codecs)
    for variant in variants where variant.variant.settings["grid"] ?? "0" != "0" {
      throw HeicBenchError(.usage, "HEIC is cut within one file anyway: leave out grid= from --codec")
    }
    return TilePlan(
      entries: entries, variants: variants, qualities: QualityList(qualities).qualities,
      tileSizes: tileSizes, overlap: overlap, view: viewport,
      preparation: Preparation(
        for: variants.map(\.variant), registry: .standard, downscale: downscale),
      metrics: try MetricSuite([MetricTraits.headline.id] + metrics).traits.map(\.id))
  }
}

struct TilePlan: Sendable {
  var entries: [CorpusEntry]
  var variants: [VariantDescription]
  var qualities: [Quality]
  var tileSizes: [Int]
  var overlap: Int
  var view: PixelSize
  var preparation: Preparation
  var metrics: [String]

  var keys: [Case] { entries.flatMap(keys) }

  /// All cuts of one picture; those that share an encode without tiles are adjacent.
  func keys(of entry: CorpusEntry) -> [Case] {
    let preparation = preparation.canonicalSpelling
    return variants.flatMap { variant in
      qualities.flatMap { quality in
        tileSizes.flatMap { size in
          forms(variant.variant).map { form in
            Case(
              image: entry.identity, preparation: preparation, variant: variant.variant, quality: quality,
              way: .tiles(TileCut(tileSize: size, overlap: overlap, form: form, view: view.description)),
              libraries: variant.librariesInKey)
          }
        }
      }
    }
  }

  /// HEIC is also cut within one file, if tiles do not overlap: tiles of such a file share nothing.
  private func forms(_ variant: CodecVariant) -> [TileForm] {
    variant.codec == "heic" && overlap == 0 ? [.files, .grid] : [.files]
  }

  /// Qualities just outside the plan's: the curve without tiles has to reach as far as the scores of tiles do.
  var outerQualities: [Quality] {
    let step = 50
    let ends = [qualities.min().map { $0.thousandths - step }, qualities.max().map { $0.thousandths + step }]
    return ends.compactMap { $0.flatMap { Quality(thousandths: $0) } }
  }
}

struct TileRunner: Sendable {
  private let plan: TilePlan
  private let configuration: RunnerConfiguration
  let pool: WorkerPool

  /// Bytes that a cut takes for each pixel: the picture, its reassembled tiles, and memory for scores.
  private static let bytesPerPixel = 110.0

  init(_ plan: TilePlan, _ configuration: RunnerConfiguration) {
    (self.plan, self.configuration) = (plan, configuration)
    pool = WorkerPool(
      configuration, preparation: plan.preparation, metrics: plan.metrics, bytesPerPixel: Self.bytesPerPixel)
  }

  /// Makes all cuts not yet known and hands each result to `sink`, from any thread; before them the same pictures
  /// without tiles, measured as by a sweep. Returns early once cancelled.
  /// - Parameters:
  ///   - isKnown: True for a cut that is not made.
  ///   - points: The points of a picture without tiles that need not be measured.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  func run(
    isKnown: @escaping @Sendable (Case) -> Bool,
    points: @escaping @Sendable (ImageIdentity) throws -> Set<Case>,
    _ sink: @escaping @Sendable (CaseRecord) throws -> Void
  ) throws {
    let jobs = plan.entries.lazy.map { entry in
      (entry: entry, missing: plan.keys(of: entry).filter { !isKnown($0) })
    }
    try pool.run(jobs, pixels: \.entry.pixels) { job, slot, isLast in
      guard !job.missing.isEmpty else { return .done }
      let known = try points(job.entry.identity)
      let lost = try cut(job.missing, of: job.entry, known, slot, isLast: isLast, sink)
      return lost.isEmpty ? .done : .again((job.entry, lost))
    }
  }

  /// Returns the cuts that lost their worker, to be tried again; none in the last try.
  private func cut(
    _ missing: [Case], of entry: CorpusEntry, _ known: Set<Case>, _ slot: WorkerSlot, isLast: Bool,
    _ sink: (CaseRecord) throws -> Void
  ) throws -> [Case] {
    func record(_ key: Case, _ outcome: Outcome<Figures>) throws {
      let outcome = outcome.map { figures in
        var figures = figures
        figures.asked = plan.metrics
        return figures
      }
      try sink(CaseRecord(key: key, outcome: outcome, header: entry.header))
    }
    if let problem = entry.problem {
      for key in missing { try record(key, .failed(problem)) }
      return []
    }
    // Each pixel is coded with and without tiles, and again at smaller sizes.
    let seconds = configuration.timeout(pixels: 4 * entry.pixels, repeats: 1)
    // All cuts by a codec follow an encode without tiles: one that exhausts time or memory speaks for all.
    var exhausted: [CodecVariant: Failure] = [:]
    var wholes: [Case: Outcome<Figures>] = [:]
    var lost: [Case] = []
    for key in missing {
      var outcome = exhausted[key.variant].map { Outcome<Figures>.failed($0) }
      let point = key.untiled(at: key.quality)
      if outcome == nil, wholes[point] == nil, !known.contains(point) {
        wholes[point] = try whole(point, entry, slot, sink)
        guard wholes[point] != nil else { return [] }
      }
      if outcome == nil, let whole = wholes[point], whole.value == nil { outcome = whole }
      let question = TilingQuestion(key: key, view: plan.view)
      outcome =
        try outcome
        ?? slot.ask(question, about: entry.file, build: key.variant.build, within: seconds).outcome
      guard let cut = outcome else { return [] }
      if let failure = cut.failure, [.timeout, .memory].contains(failure.kind) {
        exhausted[key.variant] = failure
      }
      if !isLast, cut.failure?.isWorthRetrying == true {
        lost.append(key)
      } else {
        try record(key, cut)
      }
    }
    var done = known
    for key in missing where exhausted[key.variant] == nil {
      for point in plan.outerQualities.map(key.untiled) where done.insert(point).inserted {
        // One that fails leaves the curve as it is.
        _ = try whole(point, entry, slot, sink)
      }
    }
    return lost
  }

  /// A picture without tiles, measured as by a sweep, and kept by the worker; nil after a cancellation.
  private func whole(
    _ point: Case, _ entry: CorpusEntry, _ slot: WorkerSlot, _ sink: (CaseRecord) throws -> Void
  ) throws -> Outcome<Figures>? {
    let response = try slot.measure(
      point, of: entry.file, repeats: 1, conditions: configuration.jobs == 1 ? .single : .contended,
      keepsPicture: true)
    guard let outcome = response.outcome else { return nil }
    // Not a sweep's point: its times are of no run. A failure is the cuts' alone.
    var whole = point
    whole.way = .whole
    if outcome.value != nil { try sink(CaseRecord(key: whole, outcome: outcome)) }
    return outcome
  }
}
