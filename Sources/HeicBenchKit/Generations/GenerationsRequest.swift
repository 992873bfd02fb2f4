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
  package var reuse = Reuse.all

  package init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try check()
      return try make(cancellation, events)
    }
  }

  private static let headline = MetricTraits.headline

  private func check() throws(HeicBenchError) {
    try Limits.generations.check(generations)
    try HeicBenchError.require(!qualities.isEmpty || score != nil, "there is no quality to encode at")
    if let score, !Self.headline.isPossible(score) {
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
  ) throws -> CostOutcome {
    defer { cancellation.release() }
    let configuration = try workers.configuration(limits: images.limits)
    let plan = try chains()
    let files = try OutputFolder.results(at: output, refusing: GenerationsReport.files.refuseObstacles)
    let store = try ResultStore(folder: output, options: .init(reuse))
    let known = try known(plan, store)
    try files.requireWritable()
    try store.note(ChainQuestion(Set(plan.keys)))
    let there = plan.chains(of: known)
    let found = Mutex((records: known, chains: there))
    try GenerationsRunner(plan, configuration, cancellation).run(known: Set(known.map(\.key))) { record in
      try found.withLock { found in
        try store.append(record)
        found.records.append(record)
        found.chains += plan.chains(of: record)
        events(.progress(done: found.chains, total: plan.chains))
      }
    }
    events(.ended)
    if there > 0 {
      events(.notice("\(there) of \(plan.chains) chains were there already; --fresh makes them again"))
    }
    if let notice = GainMaps.notice(of: plan.sweep.entries) { events(.notice(notice)) }
    let records = plan.sorted(found.withLock(\.records))
    let metrics = try MetricSuite(plan.sweep.metrics).traits
    let report = GenerationsReport(
      records, metrics: metrics, headline: metrics.first { $0 == Self.headline } ?? metrics[0], score: score
    ).feature
    try report.write(to: files, version: HeicBench.version)
    return CostOutcome(
      output, report.sentences, known: there, total: plan.chains,
      failed: plan.chains(of: records.filter { $0.outcome.failure != nil }),
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

  private func chains() throws -> GenerationsPlan {
    let builder = PlanBuilder(registry: .standard)
    let wanted = codecs.isEmpty ? ["jpeg", "heic"].map { CodecVariant(codec: $0) } : codecs
    let described = try builder.describe(wanted)
    if let packing = described.first(where: {
      CodecRegistry.standard.codec($0.variant.codec)?.recompresses($0.variant) == true
    }) {
      throw HeicBenchError(.usage, "\(packing.variant.name) loses nothing and has no generations")
    }
    var scored = try MetricSuite(metrics).traits.map(\.id)
    if !scored.contains(Self.headline.id), score != nil || scored.isEmpty { scored.append(Self.headline.id) }
    return GenerationsPlan(
      sweep: builder.plan(
        entries: try images.entries(to: "encode"), variants: described,
        qualities: QualityList(score == nil ? qualities : []),
        target: score.map { QualityTarget(.score(Self.headline, $0)) }, metrics: scored),
      count: generations)
  }
}
