import Analysis
import CodecKit
import Codecs
import Model
import Reports
import Store
import Synchronization
import Workers

struct TileCostRun {
  let request: TileCostRequest
  let cancellation: Cancellation
  let events: @Sendable (JobEvent) -> Void

  func run() throws -> CostOutcome {
    var configuration = try request.workers.configuration(limits: request.images.limits)
    if request.isExclusive { configuration.jobs = 1 }
    configuration.scoresThroughBuild = true
    let builds = try TriedBuilds(
      request.builds, namedBy: request.codecs, program: configuration.workerExecutable)
    configuration.builds = builds.builds
    let entries = try request.images.entries(to: "cut")
    if let notice = GainMaps.notice(of: entries) { events(.notice(notice)) }
    let plan = try plan(entries, builds)
    let files = try OutputFolder.results(at: request.output, refusing: TileReport.files.refuseObstacles)
    let store = try ResultStore(folder: request.output, options: .init(request.reuse))
    let known = try cut(plan, configuration, into: store)
    let question = TileQuestion(preparation: plan.preparation.canonicalSpelling, view: plan.view)
    try store.note(question)
    // Cuts of earlier calls count as well.
    let report = TileReport(try store.tilings(question), view: plan.view)
    let feature = report.feature
    try feature.write(to: files, version: HeicBench.version)
    try files.tidy()
    return CostOutcome(
      request.output, feature.sentences, known: known, keys: plan.keys, picture: \.image,
      outcomes: report.rows.map { ($0.record.key, $0.record.outcome) })
  }

  /// Makes the cuts that the store lacks. Returns how many it had.
  private func cut(
    _ plan: TilePlan, _ configuration: RunnerConfiguration, into store: ResultStore
  ) throws -> Int {
    let finished = try store.finished(.tiles, preparation: plan.preparation.canonicalSpelling)
    let runner = TileRunner(plan, configuration)
    let done = Atomic(0)
    let (all, total) = (plan.keys.count, plan.keys.count { !finished.contains($0) })
    cancellation.perform { runner.cancel() }
    defer { cancellation.release() }
    try runner.run(isKnown: { finished.contains($0) }) { [events] record in
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
    let codecs =
      request.codecs.isEmpty ? [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")] : request.codecs
    let variants = try PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: true)
      .describe(codecs)
    for variant in variants where variant.variant.settings["grid"] ?? "0" != "0" {
      throw HeicBenchError(.usage, "HEIC is cut within one file anyway: leave out grid= from --codec")
    }
    let preparation = Preparation(
      for: variants.map(\.variant), registry: .standard, background: [255, 255, 255],
      downscale: request.downscale)
    guard let view = TileView(width: request.viewport.width, height: request.viewport.height) else {
      throw HeicBenchError(.usage, "there is no viewport of \(request.viewport)")
    }
    return TilePlan(
      entries: entries, variants: variants, qualities: QualityList(request.qualities).qualities,
      tileSizes: request.tileSizes, overlap: request.overlap,
      view: view,
      preparation: preparation, downscale: request.downscale)
  }
}
