package import CodecKit
import Metrics
package import Model
import Synchronization
package import Workers

/// The images to encode repeatedly, and the manner.
package struct GenerationsPlan: Sendable {
  package enum Start: Sendable, Hashable {
    case qualities([Quality])
    /// For every image and variant, the lowest quality that reaches this SSIMULACRA2 in the first generation.
    case score(Double)
  }

  package var sweep: SweepPlan
  package var start: Start
  /// Encodes in a chain.
  package var count: Int

  package init(_ sweep: SweepPlan, start: Start, count: Int) {
    (self.sweep, self.start, self.count) = (sweep, start, count)
  }

  /// The case of a chain; without a quality that of a search, or of an image that cannot be used.
  package func key(
    _ entry: CorpusEntry, _ description: VariantDescription, _ quality: Quality?
  ) -> Case {
    let score: Double? = if case .score(let score) = start { score } else { nil }
    return Case(
      image: entry.identity, preparation: sweep.preparation.canonicalSpelling, variant: description.variant,
      encodedAt: score == nil ? quality : nil, way: .generations(count, reaching: score),
      libraries: description.librariesInKey)
  }

  /// Every case of the plan, with that of images that cannot be used.
  package var keys: Set<Case> {
    var qualities: [Quality?] = [nil]
    if case .qualities(let given) = start { qualities += given }
    return Set(
      sweep.entries.flatMap { entry in
        sweep.variants.flatMap { description in qualities.map { key(entry, description, $0) } }
      })
  }

  package var chains: Int { sweep.entries.count * sweep.variants.count * starts }

  private var starts: Int { if case .qualities(let qualities) = start { qualities.count } else { 1 } }

  /// The number of chains that the records cover: one without a quality covers all chains of its image and variant.
  package func chains(of records: [CaseRecord]) -> Int {
    records.reduce(0) { $0 + ($1.chainQuality == nil ? starts : 1) }
  }

  package func isComplete(with records: [CaseRecord]) -> Bool {
    struct Pair: Hashable {
      var image: String
      var variant: CodecVariant
    }
    let ended = Dictionary(grouping: records) { Pair(image: $0.key.image.name, variant: $0.key.variant) }
      .mapValues { Set($0.map(\.chainQuality)) }
    return sweep.entries.allSatisfy { entry in
      sweep.variants.allSatisfy { description in
        guard let done = ended[Pair(image: entry.identity.name, variant: description.variant)] else {
          return false
        }
        guard case .qualities(let qualities) = start, !done.contains(nil) else { return true }
        return qualities.allSatisfy { done.contains($0) }
      }
    }
  }
}

/// Runs chains of encodes in workers, one job for each image.
package final class GenerationsRunner: Sendable {
  private static let metric = MetricTraits.headline.id
  private let plan: GenerationsPlan
  private let registry: CodecRegistry
  private let configuration: RunnerConfiguration
  private let pool: WorkerPool

  package init(_ plan: GenerationsPlan, registry: CodecRegistry, configuration: RunnerConfiguration) {
    (self.plan, self.registry, self.configuration) = (plan, registry, configuration)
    pool = WorkerPool(
      configuration, preparation: plan.sweep.preparation, metrics: plan.sweep.metrics, bytesPerPixel: 80)
  }

  /// Runs all chains not yet known and hands each to `sink`, one at a time. Returns early once cancelled.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  package func run(
    isKnown: @escaping @Sendable (Case) -> Bool = { _ in false },
    _ sink: @escaping @Sendable (CaseRecord) throws -> Void
  ) throws {
    let turn = Mutex(())
    try pool.run(plan.sweep.entries, pixels: { $0.header?.pixelCount ?? 0 }) { [self] entry, slot, _ in
      for description in plan.sweep.variants {
        let goesOn = try chains(of: entry, description, slot, isKnown) { record in
          try turn.withLock { _ in try sink(record) }
        }
        if !goesOn { break }
      }
      return .done
    }
  }

  package func cancel() { pool.cancel() }

  /// Runs an image's chains with a variant; false once cancelled.
  private func chains(
    of entry: CorpusEntry, _ description: VariantDescription, _ slot: WorkerSlot, _ isKnown: (Case) -> Bool,
    _ sink: (CaseRecord) throws -> Void
  ) throws -> Bool {
    func record(_ quality: Quality?, _ outcome: Outcome<Figures>) -> CaseRecord {
      CaseRecord(key: plan.key(entry, description, quality), outcome: outcome)
    }
    let none = plan.key(entry, description, nil)
    if isKnown(none) { return true }
    if let problem = entry.problem {
      try sink(record(nil, .failed(problem)))
      return true
    }
    var qualities: [Quality] = []
    switch plan.start {
    case .qualities(let given): qualities = given.filter { !isKnown(plan.key(entry, description, $0)) }
    case .score(let score):
      switch try search(entry, description, score, slot) {
      case .found(let quality): qualities = [quality]
      case .nothing(let outcome): try sink(record(nil, outcome))
      case .cancelled: return false
      }
    }
    for quality in qualities {
      let request = GenerationChainRequest(variant: description.variant, quality: quality, count: plan.count)
      guard let outcome = try slot.generations(request, of: entry.file).outcome else { return false }
      try sink(
        record(
          quality,
          outcome.map { chain in
            var figures = Figures(
              nativeQuality: quality.thousandths / 10, encodedBytes: chain.first?.encodedBytes ?? 0)
            (figures.generations, figures.asked) = (chain, plan.sweep.metrics)
            return figures
          }))
    }
    return true
  }

  private enum Start {
    case found(Quality)
    case nothing(Outcome<Figures>)
    case cancelled
  }

  /// Finds the lowest quality whose first generation reaches a score.
  private func search(
    _ entry: CorpusEntry, _ description: VariantDescription, _ score: Double, _ slot: WorkerSlot
  ) throws -> Start {
    let range = registry.codec(description.variant.codec)?.traits.nativeQuality ?? 0...100
    var search = QualitySearch(range: range, target: .atLeast(score))
    var obstacle = Start.cancelled
    let stop = try search.run { (quality) throws -> Double? in
      let key = plan.sweep.point(of: entry, description, quality: quality)
      switch try slot.measure(key, of: entry.file, repeats: 1, conditions: .contended).outcome {
      case .measured(let measurement):
        obstacle = .nothing(.unsupported("SSIMULACRA2 is not defined for it"))
        return measurement.scores[Self.metric]
      case .unsupported(let reason): obstacle = .nothing(.unsupported(reason))
      case .failed(let failure): obstacle = .nothing(.failed(failure))
      case nil: obstacle = .cancelled
      }
      return nil
    }
    guard stop == nil else { return obstacle }
    guard let quality = search.answer.flatMap({ Quality(native: $0) }) else {
      return .nothing(.unsupported("no quality reaches the score"))
    }
    return .found(quality)
  }
}
