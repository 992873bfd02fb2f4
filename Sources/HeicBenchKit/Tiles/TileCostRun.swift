import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Sweep
import Synchronization
import Workers

/// One run of cuts, from the request to the outcome.
struct TileCostRun {
  private static let csvName = "tiles.csv"
  private static let markdownName = "tiles.md"
  private static let pageName = "tiles.html"
  private static let jsonName = "tiles.json"
  /// Results are written at most so often while more come, seconds.
  private static let writeEvery = 10.0

  private let request: TileCostRequest
  private let cancellation: Cancellation
  private let events: @Sendable (JobEvent) -> Void

  init(
    _ request: TileCostRequest, _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) {
    (self.request, self.cancellation, self.events) = (request, cancellation, events)
  }

  func run() throws -> TileCostOutcome {
    var configuration = try request.workers.configuration(limits: request.images.limits)
    if request.isExclusive { configuration.jobs = 1 }
    let plan = try plan(request.images.entries(to: "cut"))
    let files = try openFolder()
    let measured = MeasuredTiles(identity: identity(plan), known(in: files, plan), order: plan.keys)
    let runner = TileRunner(plan, configuration)
    let total = plan.keys.count
    cancellation.perform { runner.cancel() }
    defer { cancellation.release() }
    let writer = Mutex((last: ContinuousClock.now, error: (any Error)?.none))
    try runner.run(isKnown: measured.isKnown) { [events] result in
      events(.progress(done: measured.add(result), total: total))
      writer.withLock { state in
        guard state.error == nil, ContinuousClock.now - state.last > .seconds(Self.writeEvery) else { return }
        do { try files.write(measured.json(), to: Self.jsonName) } catch {
          state.error = error
          runner.cancel()
        }
        state.last = .now
      }
    }
    events(.ended)
    if let error = writer.withLock({ $0.error }) { throw error }
    return try finish(measured, plan, files)
  }

  private func finish(_ measured: MeasuredTiles, _ plan: TilePlan, _ files: OwnedFolder) throws
    -> TileCostOutcome
  {
    let results = measured.results
    let wanted = Set(plan.keys)
    let rows = TileRow.all(results.records.filter { wanted.contains($0.key) }, points: results.points)
    let summary = TileSummary(rows, viewport: plan.viewport)
    try files.write(try measured.json(), to: Self.jsonName)
    try files.write(CSVWriter(TileColumns.all(viewport: plan.viewport)).text(rows), to: Self.csvName)
    let drawings = summary.drawings
    for kind in ChartKind.ofTiles {
      if let drawing = drawings[kind] {
        try files.write(drawing, to: kind.fileName)
      } else {
        files.remove(kind.fileName)
      }
    }
    try files.write(summary.markdown, to: Self.markdownName)
    try files.write(summary.html(version: HeicBench.version), to: Self.pageName)
    try files.tidy()
    let failed = rows.count { if case .failed = $0.record.outcome { true } else { false } }
    return TileCostOutcome(
      folder: request.output, sentences: summary.sentences, cuts: wanted.count, failed: failed,
      wasInterrupted: rows.count < wanted.count)
  }

  /// The folder of the results, before anything is measured: what is not ours under our names is in the way.
  private func openFolder() throws -> OwnedFolder {
    try OutputFolder.make(request.output)
    let files = try ResultsFolder.open(request.output)
    try files.refuseObstacles(
      among: [Self.csvName, Self.markdownName, Self.jsonName, Self.pageName]
        + ChartKind.ofTiles.map(\.fileName))
    return files
  }

  private func plan(_ entries: [CorpusEntry]) throws -> TilePlan {
    let codecs =
      request.codecs.isEmpty ? [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")] : request.codecs
    let variants = try PlanBuilder(registry: .standard).describe(codecs)
    for variant in variants where variant.variant.settings["grid"] ?? "0" != "0" {
      throw HeicBenchError(.usage, "HEIC is cut within one file anyway: leave out grid= from --codec")
    }
    let preparation = Preparation(
      for: variants.map(\.variant), registry: .standard, background: [255, 255, 255],
      downscale: request.downscale)
    return TilePlan(
      entries: entries, variants: variants, qualities: QualityList(request.qualities).qualities,
      tileSizes: request.tileSizes, overlap: request.overlap,
      viewport: (request.viewport.width, request.viewport.height),
      preparation: preparation, downscale: request.downscale)
  }

  /// What besides a cut's key decides on its figures.
  private func identity(_ plan: TilePlan) -> String {
    ([plan.preparation.canonicalSpelling, "\(plan.viewport.width)x\(plan.viewport.height)"]
      + plan.variants.map { "\($0.variant.name): \($0.libraries.canonicalSpelling)" }).joined(separator: "\n")
  }

  /// What an earlier call has measured and this one need not. Failures are tried again.
  private func known(in files: OwnedFolder, _ plan: TilePlan) -> TileResults? {
    guard files.standing(of: Self.jsonName) == .ours,
      let data = files.beginning(of: Self.jsonName, count: 1 << 30), let results = try? TileResults(data)
    else { return nil }
    return results
  }
}
