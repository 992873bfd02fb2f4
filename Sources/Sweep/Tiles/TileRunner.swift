import Foundation
package import Model
import Synchronization
package import Workers

/// Which pictures are cut how.
package struct TilePlan: Sendable {
  /// The pictures.
  package var entries: [CorpusEntry]
  /// Codecs with their libraries.
  package var variants: [VariantDescription]
  /// Positions on the quality axis.
  package var qualities: [Quality]
  /// Pixels of a tile's side.
  package var tileSizes: [Int]
  /// Pixels that neighbours share.
  package var overlap: Int
  /// What is looked at at once.
  package var view: TileView
  /// How sources become what is cut.
  package var preparation: Preparation
  /// How often a side was halved first.
  package var downscale: Int

  /// Plans cuts.
  package init(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: [Quality], tileSizes: [Int],
    overlap: Int, view: TileView, preparation: Preparation, downscale: Int
  ) {
    (self.entries, self.variants, self.qualities) = (entries, variants, qualities)
    (self.tileSizes, self.overlap, self.view) = (tileSizes, overlap, view)
    (self.preparation, self.downscale) = (preparation, downscale)
  }

  /// Everything that is cut, in order.
  package var keys: [TilingKey] { entries.flatMap(keys) }

  /// All that is cut of one picture: what shares an encode without tiles stands together.
  func keys(of entry: CorpusEntry) -> [TilingKey] {
    variants.flatMap { variant in
      qualities.flatMap { quality in
        tileSizes.flatMap { size in
          forms(variant.variant).map { form in
            TilingKey(
              image: entry.identity, variant: variant.variant, quality: quality, tileSize: size,
              overlap: overlap, form: form, view: view.description, libraries: variant.librariesInKey)
          }
        }
      }
    }
  }

  /// HEIC is also cut within one file. Tiles of such a file share nothing.
  private func forms(_ variant: CodecVariant) -> [TileForm] {
    variant.codec == "heic" && overlap == 0 ? [.files, .grid] : [.files]
  }

  /// Qualities just outside of those that are cut: the curve without tiles has to reach as far as scores of tiles do.
  var outerQualities: [Quality] {
    let step = 50
    let ends = [qualities.min().map { $0.thousandths - step }, qualities.max().map { $0.thousandths + step }]
    return ends.compactMap { $0.flatMap { Quality(thousandths: $0) } }
  }
}

/// What a run of cuts hands out, one at a time.
package enum TileResult: Sendable {
  /// A picture that was cut, or could not be.
  case tiling(TilingRecord)
  /// A point of the curve without tiles beside those that come with each cut.
  case whole(WholePoint)
}

/// Cuts pictures in workers: one job for each picture.
package final class TileRunner: Sendable {
  private let plan: TilePlan
  private let configuration: RunnerConfiguration
  let runner: JobRunner<CorpusEntry>

  /// Bytes that a cut takes for each pixel: the picture, its tiles put together again, and what scores need.
  private static let bytesPerPixel = 110.0

  /// Prepares to cut.
  package init(_ plan: TilePlan, _ configuration: RunnerConfiguration) {
    (self.plan, self.configuration) = (plan, configuration)
    runner = JobRunner(
      configuration, preparation: plan.preparation, metrics: ["ssimulacra2"],
      bytesPerPixel: Self.bytesPerPixel)
  }

  /// Cuts everything that `isKnown` does not know, and hands each result to `sink`, one at a time. Returns early once
  /// cancelled.
  ///
  /// Throws what the sink throws, or `WorkerStartError` when no worker can be started.
  package func run(
    isKnown: @escaping @Sendable (TilingKey) -> Bool, _ sink: @escaping @Sendable (TileResult) throws -> Void
  ) throws {
    let turn = Mutex(())
    try runner.run(plan.entries, pixels: \.pixels) { [self] entry, slot, _ in
      try cut(entry, slot, isKnown) { result in try turn.withLock { _ in try sink(result) } }
      return .done
    }
  }

  /// Ends all workers; what was cut stays.
  package func cancel() { runner.cancel() }

  private func cut(
    _ entry: CorpusEntry, _ slot: WorkerSlot, _ isKnown: (TilingKey) -> Bool,
    _ sink: (TileResult) throws -> Void
  ) throws {
    let missing = plan.keys(of: entry).filter { !isKnown($0) }
    guard !missing.isEmpty else { return }
    func record(_ key: TilingKey, _ outcome: Outcome<TilingMeasurement>) -> TileResult {
      .tiling(TilingRecord(key: key, outcome: outcome, header: entry.header, downscale: plan.downscale))
    }
    if let problem = entry.problem {
      for key in missing { try sink(record(key, .failed(problem))) }
      return
    }
    let file = entry.file
    // Each pixel is coded with and without tiles, and again at smaller sizes.
    let seconds = configuration.timeout(pixels: 4 * file.pixels, repeats: 1)
    // All cuts by a codec take the picture without tiles, too: one that has used its time or memory up speaks for the others.
    var exhausted: [CodecVariant: Failure] = [:]
    for key in missing {
      if let failure = exhausted[key.variant] {
        try sink(record(key, .failed(failure)))
        continue
      }
      let request = TilingRequest(key: key, viewport: (plan.view.width, plan.view.height))
      guard let outcome = try slot.cut(request, of: file, within: seconds).outcome else { return }
      if let failure = outcome.failure, [.timeout, .memory].contains(failure.kind) {
        exhausted[key.variant] = failure
      }
      try sink(record(key, outcome))
    }
    for description in plan.variants
    where exhausted[description.variant] == nil
      && missing.contains(where: { $0.variant == description.variant })
    {
      for quality in plan.outerQualities {
        guard let point = try whole(description, quality, entry, slot) else { continue }
        try sink(.whole(point))
      }
    }
  }

  /// A picture without tiles, as a sweep measures it; nil where that fails, which leaves the curve as it is.
  private func whole(
    _ description: VariantDescription, _ quality: Quality, _ entry: CorpusEntry, _ slot: WorkerSlot
  ) throws -> WholePoint? {
    let key = PointKey(
      image: entry.identity, preparation: plan.preparation.canonicalSpelling, variant: description.variant,
      quality: quality, libraries: description.libraries.canonicalSpelling)
    let report = try slot.measure(key, of: entry.file, repeats: 1, conditions: .contended)
    guard let measurement = report.response.value else { return nil }
    return WholePoint(
      image: entry.identity, variant: description.variant, quality: quality,
      bytes: measurement.encodedBytes, ssimulacra2: measurement.scores["ssimulacra2"],
      libraries: description.librariesInKey)
  }
}
