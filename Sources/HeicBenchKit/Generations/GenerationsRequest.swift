import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Synchronization
import Workers

/// The generation loss of pictures that are encoded, decoded and encoded again. Writes `generations.csv`,
/// `generations.md` and `generations.svg`.
package struct GenerationsRequest: Request {
  package var images: ImageSource
  /// Codecs; empty for JPEG and HEIC.
  package var codecs: [CodecVariant] = []
  /// Quality of every encode; several give a curve each.
  package var qualities: [Quality] = [0.5, 0.7, 0.9]
  /// Score (SSIMULACRA2) of the first generation, just reached by a quality per image and codec; nil uses `qualities`.
  package var score: Double?
  package var generations = 5
  package var metrics: [String] = MetricTraits.standard.map(\.id)
  package var workers = WorkerSettings()
  package var output: String
  /// The earlier results that are kept.
  package var reuse = Reuse.all

  package init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes the chains and writes the results.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> GenerationsOutcome {
    try HeicBenchError.mapping {
      try check()
      return try make(cancellation, events)
    }
  }

  private static let headline = MetricTraits.headline.id

  private func check() throws(HeicBenchError) {
    let traits = MetricTraits.standard.first { $0.id == Self.headline }
    try Limits.generations.check(generations)
    try HeicBenchError.require(!qualities.isEmpty || score != nil, "there is no quality to encode at")
    if let score, traits?.isPossible(score) == false {
      throw HeicBenchError(
        .usage, "no first generation has SSIMULACRA2 \(Numerals.short(score)), which is at most 100")
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "chains are made with the system’s libraries, not with “@\(build)”")
    }
    try HeicBenchError.requireFolder(output)
  }

  private func make(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> GenerationsOutcome {
    defer { cancellation.release() }
    let configuration = try workers.configuration(limits: images.limits)
    let plan = try plan()
    let files = try OutputFolder.results(at: output, refusing: GenerationsReport.files.refuseObstacles)
    let store = try ResultStore(folder: output, options: .init(reuse))
    let known = try known(plan, store)
    let knownKeys = Set(known.map(\.key))
    try files.requireWritable()
    try store.note(ChainQuestion(plan.keys))
    let runner = GenerationsRunner(plan, registry: .standard, configuration: configuration)
    cancellation.perform { runner.cancel() }
    let found = Mutex<[CaseRecord]>(known)
    try runner.run(isKnown: knownKeys.contains) { record in
      try store.append(record)
      let done = found.withLock { records in
        records.append(record)
        return plan.chains(of: records)
      }
      events(.progress(done: done, total: plan.chains))
    }
    events(.ended)
    if !known.isEmpty {
      events(
        .notice(
          "\(plan.chains(of: known)) of \(plan.chains) chains were there already; --fresh makes them again"))
    }
    if let notice = GainMaps.notice(of: plan.sweep.entries) { events(.notice(notice)) }
    let records = Self.sorted(found.withLock { $0 }, plan)
    let suite = try MetricSuite(plan.sweep.metrics)
    guard let headline = suite.traits.first(where: { $0.id == Self.headline }) ?? suite.traits.first else {
      throw HeicBenchError(.usage, "there is no metric to score with")
    }
    let report = GenerationsReport(records, metrics: suite.traits, headline: headline, score: score).feature
    try report.write(to: files, version: HeicBench.version)
    let failed = plan.chains(of: records.filter { $0.outcome.failure != nil })
    return GenerationsOutcome(
      folder: output, sentences: report.sentences, chains: plan.chains, failed: failed,
      wasInterrupted: !plan.isComplete(with: records))
  }

  /// The plan's chains that the store has with every metric.
  private func known(_ plan: GenerationsPlan, _ store: ResultStore) throws -> [CaseRecord] {
    let preparation = plan.sweep.preparation.canonicalSpelling
    let finished = try store.finished(.generations, preparation: preparation).intersection(plan.keys)
    let metrics = Set(plan.sweep.metrics)
    return try store.results(.generations, where: finished.contains).filter {
      $0.figures == nil || metrics.isSubset(of: $0.figures?.asked ?? [])
    }
  }

  private func plan() throws -> GenerationsPlan {
    let builder = PlanBuilder(registry: .standard)
    let wanted = codecs.isEmpty ? ["jpeg", "heic"].map { CodecVariant(codec: $0) } : codecs
    let described = try builder.describe(wanted)
    if let packing = described.first(where: {
      CodecRegistry.standard.codec($0.variant.codec)?.recompresses($0.variant) == true
    }) {
      throw HeicBenchError(.usage, "\(packing.variant.name) loses nothing and has no generations")
    }
    var scored = try MetricSuite(metrics).traits.map(\.id)
    if !scored.contains(Self.headline), score != nil || scored.isEmpty { scored.append(Self.headline) }
    let sweep = builder.plan(
      entries: try images.entries(to: "encode"), variants: described, qualities: QualityList(qualities),
      metrics: scored)
    let start = score.map { GenerationsPlan.Start.score($0) } ?? .qualities(sweep.qualities)
    return GenerationsPlan(sweep, start: start, count: generations)
  }

  /// The records in the order of the plan, independent of the order of completion.
  private static func sorted(_ records: [CaseRecord], _ plan: GenerationsPlan) -> [CaseRecord] {
    let images = Dictionary(
      plan.sweep.entries.enumerated().map { ($1.identity.name, $0) }, uniquingKeysWith: { first, _ in first })
    let variants = plan.sweep.variants.map(\.variant)
    return records.sorted { a, b in
      let places = [a, b].map { record in
        (
          variants.firstIndex(of: record.key.variant) ?? 0, record.chainQuality?.thousandths ?? -1,
          images[record.key.image.name] ?? 0
        )
      }
      return places[0] < places[1]
    }
  }
}

/// The outcome of a `GenerationsRequest`; the results are in `folder`.
package struct GenerationsOutcome: Sendable {
  package let folder: String
  /// The answers, a sentence each.
  package let sentences: [String]
  package let chains: Int
  package let failed: Int
  package let wasInterrupted: Bool
}
