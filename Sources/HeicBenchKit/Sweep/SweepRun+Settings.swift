import CodecKit
import Codecs
import Model
import Store

extension SweepRun {
  /// Each round measures a new quality in hundredths, between two qualities of the grid.
  private static let mostRounds = 10

  /// Measures every variant at the quality to set for the headline's score, so that the advice is about existing files,
  /// and at the next lower quality. The quality is read from the images' curves, so new points may move it.
  ///
  /// Does nothing for a search, without refinement, for a stopped run, and for a shard, whose images do not determine
  /// the quality on their own.
  func measureSettings(of run: RunID, into sink: any RecordSink, _ summary: inout SweepSummary) throws {
    guard plan.refinement != nil, plan.target == nil, manifest.shard == nil else { return }
    var last: [(CodecVariant, Quality)] = []
    for _ in 0..<Self.mostRounds {
      guard !summary.wasCancelled else { return }
      let (missing, unusable) = try settingsToMeasure(of: run)
      // If measured points are requested again, measuring them would give the same answer.
      if missing.elementsEqual(last, by: ==) { return }
      last = missing
      for (variant, quality) in missing where !summary.wasCancelled {
        try measure(variant, at: quality, without: unusable, into: sink, &summary)
      }
    }
  }

  /// The points that are missing, and the names of the images that cannot be used.
  private func settingsToMeasure(
    of run: RunID
  ) throws -> (missing: [(CodecVariant, Quality)], unusable: Set<String>) {
    guard
      var builder = RecommendationBuilder(
        Wishes(), variants: plan.variants.map(\.variant), metrics: manifest.metrics, options: analysis)
    else { return ([], []) }
    var unusable: Set<String> = []
    try store.forEachRow(of: run) { row in
      if row.variant == nil { unusable.insert(row.image) }
      try builder.add(row)
    }
    let missing = builder.finish().fulfilling.compactMap { found in
      Self.qualityToMeasure(found).map { (found.variant, $0) }
    }
    return (missing, unusable)
  }

  /// The quality to set if it is not measured. If it is, the next lower one, which shows that it is the smallest; nil if
  /// that is measured, too. If several qualities give the same files, the lowest of them.
  private static func qualityToMeasure(_ found: Recommendation) -> Quality? {
    guard let codec = CodecRegistry.standard.codec(found.variant.codec) else { return found.interpolated }
    let range = codec.traits.nativeQuality
    func lowest(_ native: Int) -> Int { codec.lowestQuality(like: native, found.variant) }
    let known = found.quality.nativeValue(in: range)
    let tooLow = found.tooLow.map { $0.quality.nativeValue(in: range) } ?? range.lowerBound - 1
    let estimate = found.set.nativeValue(in: range)
    // The curves may give a quality whose files are known to be too low. Measuring it corrects the curves.
    let set = lowest(estimate) > tooLow ? lowest(estimate) : estimate
    let wanted = set == known ? lowest(max(known - 1, range.lowerBound)) : set
    return wanted > tooLow && wanted < known ? Quality(native: wanted) : nil
  }

  private func measure(
    _ variant: CodecVariant, at quality: Quality, without unusable: Set<String>, into sink: any RecordSink,
    _ summary: inout SweepSummary
  ) throws {
    var pass = plan
    pass.entries.removeAll { unusable.contains($0.identity.name) }
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
