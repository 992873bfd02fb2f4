import Model
import Store

extension SweepRun {
  /// Each round measures a hundredth that no earlier one has, between two qualities of the grid. Photographs need one or
  /// two.
  private static let mostRounds = 10

  /// Measures every variant at the quality to set for the headline's score, so that the advice is about existing files.
  /// The quality is read from the images' curves, so the new points may move it.
  ///
  /// Nothing is done for a search, without refinement, for a shard, whose images alone do not determine the quality,
  /// and for a run that was stopped.
  func measureSettings(of run: RunID, into sink: any RecordSink, _ summary: inout SweepSummary) throws {
    guard plan.refinement != nil, plan.target == nil, manifest.shard == nil else { return }
    for _ in 0..<Self.mostRounds {
      guard !summary.wasCancelled else { return }
      let missing = try settingsToMeasure(of: run)
      if missing.isEmpty { return }
      for (variant, quality) in missing where !summary.wasCancelled {
        try measure(variant, at: quality, into: sink, &summary)
      }
    }
  }

  private func settingsToMeasure(of run: RunID) throws -> [(CodecVariant, Quality)] {
    guard
      var builder = RecommendationBuilder(
        Wishes(), variants: plan.variants.map(\.variant), metrics: manifest.metrics, options: analysis)
    else { return [] }
    try store.forEachRow(of: run) { builder.add($0) }
    return builder.finish().fulfilling.compactMap { found in
      found.interpolated.map { (found.variant, $0) }
    }
  }

  private func measure(
    _ variant: CodecVariant, at quality: Quality, into sink: any RecordSink, _ summary: inout SweepSummary
  ) throws {
    var pass = plan
    pass.variants = plan.variants.filter { $0.variant == variant }
    (pass.qualities, pass.isBesideGrid) = ([quality], true)
    (pass.refinement, pass.coarse) = (nil, nil)
    let runner = SweepRunner(
      plan: pass, configuration: configuration, sink: sink, finished: kept ?? store, end: end,
      progress: { [events] in events(.measuringSettings($0)) })
    cancellation.perform { runner.cancel() }
    defer { events(.stepEnded) }
    summary.add(try runner.run())
  }
}
