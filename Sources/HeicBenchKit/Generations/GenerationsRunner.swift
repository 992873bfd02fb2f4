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

  package var chains: Int { sweep.entries.count * sweep.variants.count * starts }

  private var starts: Int { if case .qualities(let qualities) = start { qualities.count } else { 1 } }

  /// The number of chains that the records cover: one without a quality covers all chains of its image and variant.
  package func chains(of records: [GenerationsRecord]) -> Int {
    records.reduce(0) { $0 + ($1.quality == nil ? starts : 1) }
  }

  package func isComplete(with records: [GenerationsRecord]) -> Bool {
    struct Pair: Hashable {
      var image: String
      var variant: CodecVariant
    }
    let ended = Dictionary(grouping: records) { Pair(image: $0.image, variant: $0.variant) }
      .mapValues { Set($0.map(\.quality)) }
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
  private let runner: JobRunner<CorpusEntry>

  package init(_ plan: GenerationsPlan, registry: CodecRegistry, configuration: RunnerConfiguration) {
    (self.plan, self.registry, self.configuration) = (plan, registry, configuration)
    runner = JobRunner(
      configuration, preparation: plan.sweep.preparation, metrics: plan.sweep.metrics, bytesPerPixel: 80)
  }

  /// Runs all chains and hands each to `sink`, one at a time. Returns early once cancelled.
  /// - Throws: `WorkerStartError` if no worker can be started.
  package func run(_ sink: @escaping @Sendable (GenerationsRecord) -> Void) throws {
    let turn = Mutex(())
    try runner.run(plan.sweep.entries, pixels: { $0.header?.pixelCount ?? 0 }) { [self] entry, slot, _ in
      for description in plan.sweep.variants {
        guard try chains(of: entry, description, slot, { record in turn.withLock { _ in sink(record) } })
        else {
          break
        }
      }
      return .done
    }
  }

  package func cancel() { runner.cancel() }

  /// Runs an image's chains with a variant; false once cancelled.
  private func chains(
    of entry: CorpusEntry, _ description: VariantDescription, _ slot: WorkerSlot,
    _ sink: (GenerationsRecord) -> Void
  ) throws -> Bool {
    func record(_ quality: Quality?, _ outcome: Outcome<[Generation]>) -> GenerationsRecord {
      GenerationsRecord(
        image: entry.identity.name, variant: description.variant, quality: quality, outcome: outcome)
    }
    if let problem = entry.problem {
      sink(record(nil, .failed(problem)))
      return true
    }
    var qualities: [Quality] = []
    switch plan.start {
    case .qualities(let given): qualities = given
    case .score(let score):
      switch try search(entry, description, score, slot) {
      case .found(let quality): qualities = [quality]
      case .nothing(let outcome): sink(record(nil, outcome))
      case .cancelled: return false
      }
    }
    for quality in qualities {
      let request = GenerationChainRequest(variant: description.variant, quality: quality, count: plan.count)
      guard let outcome = try slot.generations(request, of: entry.file).outcome else { return false }
      sink(record(quality, outcome))
    }
    return true
  }

  private enum Start {
    case found(Quality)
    case nothing(Outcome<[Generation]>)
    case cancelled
  }

  /// Finds the lowest quality whose first generation reaches a score.
  private func search(
    _ entry: CorpusEntry, _ description: VariantDescription, _ score: Double, _ slot: WorkerSlot
  ) throws -> Start {
    let range = registry.codec(description.variant.codec)?.traits.nativeQuality ?? 0...100
    var search = QualitySearch(range: range, target: .atLeast(score))
    while let native = search.next, let quality = Quality(native: native) {
      let key = plan.sweep.point(of: entry, description, quality: quality)
      switch try slot.measure(key, of: entry.file, repeats: 1, conditions: .contended).response.outcome {
      case .measured(let measurement):
        guard let value = measurement.scores[Self.metric] else {
          return .nothing(.unsupported("SSIMULACRA2 is not defined for it"))
        }
        search.enter(value, at: native)
      case .unsupported(let reason): return .nothing(.unsupported(reason))
      case .failed(let failure): return .nothing(.failed(failure))
      case nil: return .cancelled
      }
    }
    guard let quality = search.answer.flatMap({ Quality(native: $0) }) else {
      return .nothing(.unsupported("no quality reaches the score"))
    }
    return .found(quality)
  }
}
