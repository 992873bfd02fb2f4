import CodecKit
import Codecs
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
      let lowest = Self.lowest(like: found.set, found.variant)
      // The curves may err by a step: what is known to be too low is not tried again.
      let isTooLow = found.tooLow.map { lowest <= $0.quality } ?? false
      let quality = isTooLow ? found.set : lowest
      return quality == found.quality ? nil : (found.variant, quality)
    }
  }

  /// The lowest quality that makes the same files: the one to set.
  private static func lowest(like quality: Quality, _ variant: CodecVariant) -> Quality {
    guard let codec = CodecRegistry.standard.codec(variant.codec) else { return quality }
    let native = quality.nativeValue(in: codec.traits.nativeQuality)
    let lowest = codec.lowestQuality(like: native, variant)
    return lowest < native ? Quality(native: lowest) ?? quality : quality
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
