import CodecKit
import Metrics
import Model
import Workers

/// The images to encode repeatedly, at the qualities of a sweep or at those that reach its target.
struct GenerationsPlan: Sendable {
  let sweep: SweepPlan
  let count: Int

  /// The case of a chain; without a quality that of a search, or of an image that cannot be used.
  func key(_ entry: CorpusEntry, _ description: VariantDescription, _ quality: Quality?) -> Case {
    var key = sweep.point(of: entry, description, quality: quality ?? 0.0)
    key.encodedAt = sweep.target == nil ? quality : nil
    let score: Double? = if case .score(_, let score)? = sweep.target?.target.goal { score } else { nil }
    key.way = .generations(count, reaching: score)
    return key
  }

  var keys: [Case] {
    sweep.entries.flatMap { entry in
      sweep.variants.flatMap { description in
        ([nil] + sweep.qualities).map { key(entry, description, $0) }
      }
    }
  }

  var chains: Int { sweep.entries.count * sweep.variants.count * starts }

  private var starts: Int { max(1, sweep.qualities.count) }

  /// The number of chains that a record covers: without a quality all those of its image and variant.
  func chains(of record: CaseRecord) -> Int { record.key.encodedAt == nil ? starts : 1 }

  func chains(of records: [CaseRecord]) -> Int { records.reduce(0) { $0 + chains(of: $1) } }

  func isComplete(with records: [CaseRecord]) -> Bool {
    let done = Set(records.map(\.key))
    return sweep.entries.allSatisfy { entry in
      sweep.variants.allSatisfy { description in
        if done.contains(key(entry, description, nil)) { return true }
        return sweep.target == nil
          && sweep.qualities.allSatisfy { done.contains(key(entry, description, $0)) }
      }
    }
  }

  /// The records in the order of the plan, independent of the order of completion.
  func sorted(_ records: [CaseRecord]) -> [CaseRecord] {
    let images = Dictionary(
      sweep.entries.enumerated().map { ($1.identity.name, $0) }, uniquingKeysWith: { first, _ in first })
    let variants = sweep.variants.map(\.variant)
    func place(_ record: CaseRecord) -> (Int, Int, Int) {
      (
        variants.firstIndex(of: record.key.variant) ?? 0, record.chainQuality?.thousandths ?? -1,
        images[record.key.image.name] ?? 0
      )
    }
    return records.sorted { place($0) < place($1) }
  }
}

/// Runs chains of encodes in workers, one job for each image.
struct GenerationsRunner: Sendable {
  private let plan: GenerationsPlan
  private let pool: WorkerPool

  init(_ plan: GenerationsPlan, _ configuration: RunnerConfiguration, _ cancellation: Cancellation) {
    self.plan = plan
    pool = WorkerPool(
      configuration, preparation: plan.sweep.preparation, metrics: plan.sweep.metrics, bytesPerPixel: 80)
    cancellation.perform { [pool] in pool.cancel() }
  }

  /// Runs all chains not yet known and hands each to `sink`, from several threads.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  func run(known: Set<Case>, _ sink: @escaping @Sendable (CaseRecord) throws -> Void) throws {
    let jobs = plan.sweep.entries.lazy.map { (entry: $0, known: known) }
    try pool.run(jobs, pixels: { $0.entry.header?.pixelCount ?? 0 }) { job, slot, isLast in
      var (entry, known, isLost) = (job.entry, job.known, false)
      for description in plan.sweep.variants where !known.contains(plan.key(entry, description, nil)) {
        let goesOn = try chains(of: entry, description, slot, known) { quality, outcome in
          guard isLast || outcome.failure?.isWorthRetrying != true else {
            isLost = true
            return
          }
          let record = CaseRecord(key: plan.key(entry, description, quality), outcome: outcome)
          try sink(record)
          known.insert(record.key)
        }
        if !goesOn { break }
      }
      return isLost ? .again((entry, known)) : .done
    }
  }

  /// Runs an image's chains with a variant; false once cancelled.
  private func chains(
    of entry: CorpusEntry, _ description: VariantDescription, _ slot: WorkerSlot, _ known: Set<Case>,
    _ sink: (Quality?, Outcome<Figures>) throws -> Void
  ) throws -> Bool {
    if let problem = entry.problem {
      try sink(nil, .failed(problem))
      return true
    }
    var qualities = plan.sweep.qualities.filter { !known.contains(plan.key(entry, description, $0)) }
    if let target = plan.sweep.target {
      guard let found = try search(entry, description, target, slot) else { return false }
      guard case .measured(let quality) = found else {
        try sink(nil, found.map { Figures(chain: [], at: $0, asked: []) })
        return true
      }
      qualities = [quality]
    }
    for quality in qualities {
      let request = GenerationChainRequest(variant: description.variant, quality: quality, count: plan.count)
      guard let outcome = try slot.generations(request, of: entry.file).outcome else { return false }
      try sink(quality, outcome.map { Figures(chain: $0, at: quality, asked: plan.sweep.metrics) })
    }
    return true
  }

  /// Finds the lowest quality whose first generation reaches a score; nil once cancelled.
  private func search(
    _ entry: CorpusEntry, _ description: VariantDescription, _ target: TargetStrategy, _ slot: WorkerSlot
  ) throws -> Outcome<Quality>? {
    var points: [Quality: PointOutcome] = [:]
    var known: [Quality: FinishedPoint] = [:]
    while let quality = target.next(description.variant, known: known).first {
      let key = plan.sweep.point(of: entry, description, quality: quality)
      let answer = try slot.measure(key, of: entry.file, repeats: 1, conditions: .contended)
      guard let outcome = answer.outcome else { return nil }
      points[quality] = outcome
      known[quality] = FinishedPoint(outcome, metric: target.target.metric?.id)
    }
    let result = target.result(description.variant, known: known)
    switch result?.obstacle.flatMap({ points[$0] }) {
    case .measured: return .unsupported("SSIMULACRA2 is not defined for it")
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
