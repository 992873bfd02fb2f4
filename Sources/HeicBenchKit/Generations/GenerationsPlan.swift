import CodecKit
import Metrics
import Model
import Store
import Workers

/// The images to encode repeatedly, at the qualities of a sweep or at those that reach its target.
struct GenerationsPlan: Sendable {
  let sweep: SweepPlan
  let count: Int

  /// The case of a chain; without a quality, it is the case of a search or of an unusable image.
  func key(_ entry: CorpusEntry, _ description: VariantDescription, _ quality: Quality?) -> Case {
    var key = sweep.point(of: entry, description, quality: quality ?? 0.0)
    key.encodedAt = sweep.target == nil ? quality : nil
    let score: Double? = if case .score(_, let score)? = sweep.target?.target.goal { score } else { nil }
    key.way = .generations(count, reaching: score)
    return key
  }

  /// Every case that can belong to a chain.
  var keys: [Case] { cases { _, _ in [nil] + sweep.qualities }.flatMap(\.cases) }

  /// The chains of each image. If qualities are searched, or the image is or was unusable, one case without a quality
  /// represents all chains of its image and variant.
  func jobs(known: Set<Case>) -> [CaseJob] {
    cases { entry, description in
      let isFailure =
        known.contains(key(entry, description, nil))
        && !sweep.qualities.contains { known.contains(key(entry, description, $0)) }
      return entry.problem != nil || sweep.qualities.isEmpty || isFailure ? [nil] : sweep.qualities
    }
  }

  private func cases(_ qualities: (CorpusEntry, VariantDescription) -> [Quality?]) -> [CaseJob] {
    sweep.entries.map { entry in
      CaseJob(
        entry: entry,
        cases: sweep.variants.flatMap { description in
          qualities(entry, description).map { key(entry, description, $0) }
        })
    }
  }

  func chains(of key: Case) -> Int { key.encodedAt == nil ? max(1, sweep.qualities.count) : 1 }
}

extension GenerationsPlan {
  func measure(
    known: Set<Case>, into store: ResultStore, _ configuration: RunnerConfiguration,
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> MeasuredCases {
    let pool = WorkerPool(
      configuration, preparation: sweep.preparation, metrics: sweep.metrics, bytesPerPixel: 80)
    return try pool.measuring(("chains", "makes them"), cancellation, events) { progress in
      try pool.measure(
        jobs(known: known), pixels: \.pixels, isKnown: known.contains, count: chains,
        keep: { try store.append($0) }, progress: progress
      ) { turn in
        for key in turn.job.cases {
          guard let outcome = try chain(key, of: turn.job.entry, turn.slot) else { return }
          try turn.keep(CaseRecord(key: key, outcome: outcome))
        }
      }
    }
  }

  private func chain(_ key: Case, of entry: CorpusEntry, _ slot: WorkerSlot) throws -> Outcome<Figures>? {
    if let problem = entry.problem { return .failed(problem) }
    guard let found = try key.encodedAt.map({ .measured($0) }) ?? search(key, of: entry, slot) else {
      return nil
    }
    guard case .measured(let quality) = found else {
      return found.map { Figures(chain: [], at: $0, asked: []) }
    }
    let request = GenerationChainQuestion(variant: key.variant, quality: quality, count: count)
    return try slot.generations(request, of: entry.file).outcome?.map {
      Figures(chain: $0, at: quality, asked: sweep.metrics)
    }
  }

  /// Finds the lowest quality whose first generation reaches a score; nil once cancelled.
  private func search(
    _ key: Case, of entry: CorpusEntry, _ slot: WorkerSlot
  ) throws -> Outcome<Quality>? {
    guard let target = sweep.target else { return nil }
    var (point, points, known) = (key, [Quality: PointOutcome](), [Quality: FinishedPoint]())
    point.way = .point
    while let quality = target.next(key.variant, known: known).first {
      point.encodedAt = quality
      let answer = try slot.measure(point, of: entry.file, repeats: 1, conditions: .contended)
      guard let outcome = answer.outcome else { return nil }
      points[quality] = outcome
      known[quality] = FinishedPoint(outcome, metric: target.target.metric?.id)
    }
    let result = target.result(key.variant, known: known)
    switch result?.obstacle.flatMap({ points[$0] }) {
    case .measured: return .unsupported("SSIMULACRA2 is not defined for this image")
    case .unsupported(let reason): return .unsupported(reason)
    case .failed(let failure): return .failed(failure)
    case nil: break
    }
    guard let quality = result?.quality, result?.isReached == true else {
      return .unsupported("no quality reaches the score")
    }
    return .measured(quality)
  }
}
