import Codecs
import Metrics
import Model
import Reports
import Store
import Synchronization
import Workers

/// Measures the cost of tiles: cuts pictures into several tile sizes with several codecs, and compares them with the
/// same pictures without tiles, which are points like those of a sweep. Writes `tiles.csv`, `tiles.md`, `tiles.html`
/// and `tiles.json`, and keeps every cut and point in the folder's store.
public struct TileCostRequest: Request {
  /// The pictures to cut.
  public var images: ImageSource
  /// Codecs with their settings; empty for JPEG and HEIC.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, for codecs that name them, such as `heic@new`; tiles of a build are decoded and
  /// scored by its own libraries.
  public var builds: [LibraryBuild] = []
  /// The qualities to encode at.
  public var qualities: [Quality] = [0.5, 0.8]
  /// Identifiers of the metrics that score the reassembled level 0 and the picture without tiles. SSIMULACRA2, at which
  /// sizes are compared, is always one of them.
  public var metrics = [MetricTraits.headline.id]
  /// Sides of tiles in pixels, even numbers from 64 to 8192.
  public var tileSizes = [256, 512, 1024]
  /// Pixels that neighbouring tiles share on each side.
  public var overlap = 0
  /// The area in view at a time.
  public var viewport = PixelSize(width: 1920, height: 1080)
  /// The factor by which pictures are first reduced in each direction, in linear light, 1 to 64.
  public var downscale = 1
  /// True to cut pictures one at a time, which disturbs CPU times least.
  public var isExclusive = false
  /// The earlier results in the folder to keep.
  public var reuse = Reuse.all
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The results folder. Cuts that it already has are not made again.
  public var output: String

  /// Creates a request to cut pictures, with the results in a folder.
  public init(images: ImageSource, output: String = "results") {
    (self.images, self.output) = (images, output)
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

  /// True for tile sides that can be compared; grids need even numbers.
  package static func isSide(_ side: Int) -> Bool { (64...8192).contains(side) && side.isMultiple(of: 2) }

  private func check() throws(HeicBenchError) {
    try HeicBenchError.require(!qualities.isEmpty, "give at least one quality")
    try HeicBenchError.require(
      !tileSizes.isEmpty && tileSizes.allSatisfy(Self.isSide),
      "tile sizes must be even numbers from 64 to 8192")
    try HeicBenchError.require(
      (0...(tileSizes.min() ?? 0) / 2).contains(overlap),
      "tiles can share from 0 pixels to half the smallest tile, not \(overlap)")
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
    let listing = try images.listing(to: "cut", by: WorkerDescriber(configuration)) { events(.notice($0)) }
    let entries = listing.entries
    if downscale == 1, entries.contains(where: { $0.header?.isLossy == true }) {
      events(.notice("lossy images such as JPEG are left out of the answer; --downscale 2 makes them usable"))
    }
    let variants = try variants(builds)
    let preparation = Preparation(for: variants.map(\.variant), registry: .standard, downscale: downscale)
    let scored = try MetricSuite(sdr: [MetricTraits.headline.id] + metrics).traits.map(\.id)
    let files = try OutputFolder.results(at: output, refusing: TileReport.files.refuseObstacles)
    let store = try ResultStore(folder: output, options: .init(reuse))
    try store.note(entries, of: .tiles, from: images) { events(.notice($0)) }
    let measured = try cut(
      jobs(entries, variants, preparation), by: Self.pool(configuration, preparation, scored), scored,
      into: store, cancellation, events)
    configuration.tellRemarks { events(.notice($0)) }
    let question = TileScope(preparation: preparation.canonicalSpelling, view: viewport)
    try store.note(question)
    // Cuts of earlier calls count as well.
    let report = TileReport(try store.tilings(question), view: viewport)
    let feature = report.feature
    try store.note(listing.passedOver.skipped, for: feature.anchor)
    try feature.withSkipped(of: store).write(to: files, version: HeicBench.version)
    return CostOutcome(output, feature, measured, report.rows.map(\.record))
  }

  private func variants(_ builds: TriedBuilds) throws -> [VariantDescription] {
    let builder = PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: true)
    let variants = try builder.describe(codecs.isEmpty ? ["jpeg", "heic"].map { .init(codec: $0) } : codecs)
    for variant in variants where variant.variant.isGrid {
      throw HeicBenchError(.usage, "HEIC is also cut within one file anyway: leave grid= out of --codec")
    }
    return variants
  }

  /// All cuts of each picture; those that share an encode without tiles are adjacent.
  func jobs(
    _ entries: [CorpusEntry], _ variants: [VariantDescription], _ preparation: Preparation
  ) -> [CaseJob] {
    let cuts = tileSizes.flatMap { size in
      [TileForm.files, .grid].map {
        TileCut(tileSize: size, overlap: overlap, form: $0, view: viewport.description)
      }
    }
    return entries.map { entry in
      let cases = variants.flatMap { variant in
        // HEIC is also cut within one file if tiles do not overlap, since tiles of such a file share nothing.
        let isGrid = variant.variant.codec == "heic" && overlap == 0
        return QualityList(qualities).qualities.flatMap { quality in
          cuts.filter { isGrid || $0.form == .files }.map { cut in
            Case(
              image: entry.identity, preparation: preparation.canonicalSpelling, variant: variant.variant,
              quality: quality, way: .tiles(cut), libraries: variant.librariesInKey)
          }
        }
      }
      return CaseJob(entry: entry, cases: cases)
    }
  }

  static func pool(
    _ configuration: RunnerConfiguration, _ preparation: Preparation, _ metrics: [String]
  ) -> WorkerPool {
    // The bytes per pixel that a cut needs: the picture, its reassembled tiles, and memory for scores.
    WorkerPool(configuration, preparation: preparation, metrics: metrics, bytesPerPixel: 110)
  }
}

extension TileCostRequest {
  /// Has workers make the cuts that the store lacks, and before that the same pictures without tiles.
  func cut(
    _ jobs: [CaseJob], by pool: WorkerPool, _ metrics: [String], into store: ResultStore,
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> MeasuredCases {
    let preparation = jobs.first?.cases.first?.preparation ?? ""
    let further = Set(metrics.dropFirst())
    let finished = try store.finished(
      .tiles, preparation: preparation,
      isEnough: further.isEmpty ? nil : { $0.figures.map { further.isSubset(of: $0.asked ?? []) } ?? true })
    @Sendable func isScored(_ figures: Figures?) -> Bool {
      figures.map { figures in metrics.allSatisfy { figures.scores[$0] != nil } } ?? false
    }
    let wholes = try store.finished(.whole, preparation: preparation) { isScored($0.figures) }
    // Cuts that are retried find what was measured before them.
    let untiled = Mutex(Set(wholes.map { $0.untiled(at: $0.quality) }))
    return try pool.measuring(("cuts", "makes them"), cancellation, events) { progress in
      try pool.measure(
        jobs, pixels: \.pixels, isKnown: finished.contains, count: { $0.way == .whole ? 0 : 1 },
        keep: { try store.append($0) }, progress: progress
      ) { turn in
        let image = turn.job.entry.identity
        let points = reuse == .nothing ? [:] : try store.points(of: image, preparation: preparation)
        try cut(&turn, metrics) { point in
          isScored(points[point]?.figures) || untiled.withLock { $0.contains(point) }
        } note: { point in
          untiled.withLock { _ = $0.insert(point) }
        }
      }
    }
  }

  /// - Parameters:
  ///   - isKnown: True for a picture without tiles that need not be measured.
  ///   - note: Gets each picture that was measured.
  private func cut(
    _ turn: inout CaseTurn, _ metrics: [String], isKnown: (Case) -> Bool, note: (Case) -> Void
  ) throws {
    let entry = turn.job.entry
    // Each pixel is coded with and without tiles, and again at smaller sizes.
    let seconds = turn.slot.configuration.timeout(pixels: 4 * entry.pixels, repeats: 1)
    // All cuts with a codec follow an encode without tiles. If that exhausts time or memory, so would the cuts.
    var exhausted: [CodecVariant: Failure] = [:]
    var tried: [Case: PointOutcome] = [:]
    for key in turn.job.cases {
      var outcome = (entry.problem ?? exhausted[key.variant]).map { PointOutcome.failed($0) }
      let points = ([key.quality] + outerQualities).map(key.untiled)
      // Kept before the cuts, because a picture that has all its cuts is not visited again.
      for point in points where outcome == nil {
        if tried[point] == nil, !isKnown(point) {
          guard let whole = try whole(point, &turn, note) else { return }
          tried[point] = whole
        }
        // If an outer quality fails, the curve stays as it is.
        if point == points[0], let whole = tried[point], whole.value == nil { outcome = whole }
      }
      let question = TilingQuestion(key: key, view: viewport)
      let cut =
        try outcome
        ?? turn.slot.ask(question, about: entry.file, build: key.variant.build, within: seconds).outcome
      guard let cut else { return }
      if let failure = cut.failure, [.timeout, .memory].contains(failure.kind) {
        exhausted[key.variant] = failure
      }
      try turn.keep(CaseRecord(key: key, outcome: cut.map { $0.asking(metrics) }, header: entry.header))
    }
  }

  /// Qualities just outside the requested ones, since the curve without tiles has to reach as far as the scores of
  /// tiles do.
  private var outerQualities: [Quality] {
    let step = 50
    let ends = [qualities.min().map { $0.thousandths - step }, qualities.max().map { $0.thousandths + step }]
    return ends.compactMap { $0.flatMap { Quality(thousandths: $0) } }
  }

  /// A picture without tiles, measured as in a sweep, and kept by the worker; nil after a cancellation.
  private func whole(
    _ point: Case, _ turn: inout CaseTurn, _ note: (Case) -> Void
  ) throws -> PointOutcome? {
    let response = try turn.slot.measure(
      point, of: turn.job.entry.file, repeats: 1,
      conditions: turn.slot.configuration.jobs == 1 ? .single : .contended, keepsPicture: true)
    // This is not a sweep's point, since its times belong to no run. A failure concerns only the cuts.
    if let outcome = response.outcome, outcome.value != nil {
      var whole = point
      whole.way = .whole
      try turn.keep(CaseRecord(key: whole, outcome: outcome))
      note(point)
    }
    return response.outcome
  }
}

extension Figures {
  fileprivate func asking(_ metrics: [String]) -> Figures {
    var figures = self
    figures.asked = metrics
    return figures
  }
}
