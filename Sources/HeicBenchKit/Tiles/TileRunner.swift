import Foundation
package import Model
import Synchronization
package import Workers

/// The pictures to cut, and the manner.
package struct TilePlan: Sendable {
  package var entries: [CorpusEntry]
  package var variants: [VariantDescription]
  /// Positions on the quality axis.
  package var qualities: [Quality]
  /// Pixels of a tile's side.
  package var tileSizes: [Int]
  /// Pixels that neighbours share.
  package var overlap: Int
  package var view: TileView
  /// The steps from sources to the pictures that are cut.
  package var preparation: Preparation
  /// The number of pixels that become one in each direction before the cut.
  package var downscale: Int

  package var keys: [Case] { entries.flatMap(keys) }

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

/// Cuts pictures in workers, one job for each picture.
package final class TileRunner: Sendable {
  private let plan: TilePlan
  private let configuration: RunnerConfiguration
  let pool: WorkerPool

  /// Bytes that a cut takes for each pixel: the picture, its reassembled tiles, and memory for scores.
  private static let bytesPerPixel = 110.0

  package init(_ plan: TilePlan, _ configuration: RunnerConfiguration) {
    (self.plan, self.configuration) = (plan, configuration)
    pool = WorkerPool(
      configuration, preparation: plan.preparation, metrics: ["ssimulacra2"],
      bytesPerPixel: Self.bytesPerPixel)
  }

  /// Makes all cuts not yet known and hands each result to `sink`, one at a time. Returns early once cancelled.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  package func run(
    isKnown: @escaping @Sendable (Case) -> Bool, _ sink: @escaping @Sendable (CaseRecord) throws -> Void
  ) throws {
    let turn = Mutex(())
    try pool.run(plan.entries, pixels: \.pixels) { [self] entry, slot, _ in
      try cut(entry, slot, isKnown) { result in try turn.withLock { _ in try sink(result) } }
      return .done
    }
  }

  package func cancel() { pool.cancel() }

  private func cut(
    _ entry: CorpusEntry, _ slot: WorkerSlot, _ isKnown: (Case) -> Bool,
    _ sink: (CaseRecord) throws -> Void
  ) throws {
    let missing = plan.keys(of: entry).filter { !isKnown($0) }
    guard !missing.isEmpty else { return }
    func record(_ key: Case, _ outcome: Outcome<TilingMeasurement>) -> CaseRecord {
      CaseRecord(key: key, outcome: outcome.map { Figures(tiles: $0) }, header: entry.header)
    }
    if let problem = entry.problem {
      for key in missing { try sink(record(key, .failed(problem))) }
      return
    }
    let file = entry.file
    // Each pixel is coded with and without tiles, and again at smaller sizes.
    let seconds = configuration.timeout(pixels: 4 * file.pixels, repeats: 1)
    // All cuts by a codec also encode the picture without tiles: one that exhausts time or memory speaks for all.
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
        if let point = try whole(description, quality, entry, slot) { try sink(point) }
      }
    }
  }

  /// A picture without tiles, measured as in a sweep; nil if that fails, which leaves the curve as it is.
  private func whole(
    _ description: VariantDescription, _ quality: Quality, _ entry: CorpusEntry, _ slot: WorkerSlot
  ) throws -> CaseRecord? {
    var key = Case(
      image: entry.identity, preparation: plan.preparation.canonicalSpelling, variant: description.variant,
      quality: quality, libraries: description.libraries.canonicalSpelling)
    let response = try slot.measure(key, of: entry.file, repeats: 1, conditions: .contended)
    guard let figures = response.value else { return nil }
    (key.way, key.libraries) = (.whole, description.librariesInKey)
    return CaseRecord(
      key: key, outcome: .measured(Figures(whole: figures.encodedBytes, ssimulacra2: figures[.plain])))
  }
}
