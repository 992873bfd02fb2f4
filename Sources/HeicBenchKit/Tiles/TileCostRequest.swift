import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Pixels
import Reports
import Store
import Synchronization
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
    cancellation.perform { runner.cancel() }
    let known = try cut(plan, by: runner, into: store, events)
    cancellation.release()
    let question = TileQuestion(preparation: plan.preparation.canonicalSpelling, view: plan.view)
    try store.note(question)
    // Cuts of earlier calls count as well.
    let report = TileReport(try store.tilings(question), view: plan.view)
    let feature = report.feature
    try feature.write(to: files, version: HeicBench.version)
    return CostOutcome(
      output, feature.sentences, known: known, keys: plan.keys, picture: \.image,
      outcomes: report.rows.map { ($0.record.key, $0.record.outcome) })
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
    let done = Atomic(0)
    let (all, total) = (plan.keys.count, plan.keys.count { !finished.contains($0) })
    @Sendable func isScored(_ figures: Figures?) -> Bool {
      plan.metrics.allSatisfy { figures?.scores[$0] != nil }
    }
    let wholes = try store.results(.whole) { [reuse] in
      reuse != .nothing && $0.preparation == preparation
    }.filter { isScored($0.figures) }
    let known = Set(wholes.map { $0.key.untiled(at: $0.key.quality) })
    try runner.run(isKnown: finished.contains) { [reuse] image in
      guard reuse != .nothing else { return [] }
      let points = try store.points(of: image, preparation: preparation)
      return known.union(points.filter { isScored($0.value) }.keys)
    } _: { record in
      try store.append(record)
      guard record.key.way != .whole else { return }
      events(.progress(done: done.add(1, ordering: .relaxed).newValue, total: total))
    }
    events(.ended)
    if total < all {
      events(.notice("\(all - total) of \(all) cuts were there already; --fresh makes them again"))
    }
    return all - total
  }

  private func plan(_ entries: [CorpusEntry], _ builds: TriedBuilds) throws -> TilePlan {
    let codecs = codecs.isEmpty ? [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")] : codecs
    let variants = try PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: true)
      .describe(codecs)
    for variant in variants where variant.variant.settings["grid"] ?? "0" != "0" {
      throw HeicBenchError(.usage, "HEIC is cut within one file anyway: leave out grid= from --codec")
    }
    guard let view = TileView(width: viewport.width, height: viewport.height) else {
      throw HeicBenchError(.usage, "there is no viewport of \(viewport)")
    }
    return TilePlan(
      entries: entries, variants: variants, qualities: QualityList(qualities).qualities,
      tileSizes: tileSizes, overlap: overlap, view: view,
      preparation: Preparation(
        for: variants.map(\.variant), registry: .standard, background: [255, 255, 255], downscale: downscale),
      metrics: try MetricSuite([MetricTraits.headline.id] + metrics).traits.map(\.id))
  }
}
