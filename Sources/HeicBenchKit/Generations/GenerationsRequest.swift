import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Workers

/// Measures the generation loss of pictures that are encoded, decoded and encoded again.
package struct GenerationsRequest: Request {
  package var images: ImageSource
  /// Codecs; empty for JPEG and HEIC.
  package var codecs: [CodecVariant] = []
  /// The quality of every encode; each quality gives a curve.
  package var qualities: [Quality] = [0.5, 0.7, 0.9]
  /// Score (SSIMULACRA2) of the first generation, for which each image and codec gets the lowest quality that reaches
  /// it; nil uses `qualities`.
  package var score: Double?
  package var generations = 5
  package var metrics: [String] = MetricTraits.usual.map(\.id)
  package var workers = WorkerSettings()
  package var output: String
  package var reuse = Reuse.all

  package init(images: ImageSource, output: String = "results") {
    (self.images, self.output) = (images, output)
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
    try HeicBenchError.require(!qualities.isEmpty || score != nil, "give at least one quality")
    if let score, !Self.headline.isPossible(score) {
      throw HeicBenchError(
        .usage, "the first generation cannot reach SSIMULACRA2 \(Numerals.short(score)), which is at most 100"
      )
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "generations uses the system’s libraries, not “@\(build)”")
    }
    try HeicBenchError.requireFolder(output)
  }

  private func make(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> CostOutcome {
    let configuration = try workers.configuration(limits: images.limits)
    let variants = try variants()
    let listing = try images.listing(to: "encode", by: WorkerDescriber(configuration)) { events(.notice($0)) }
    let plan = try chains(listing.entries, variants)
    let files = try OutputFolder.results(at: output, refusing: GenerationsReport.files.refuseObstacles)
    let store = try ResultStore(folder: output, options: .init(reuse))
    let metrics = try MetricSuite(plan.sweep.metrics).traits
    let ids = Set(metrics.map(\.id))
    func hasAll(_ record: CaseRecord) -> Bool {
      record.figures.map { ids.isSubset(of: $0.asked ?? []) } ?? true
    }
    let known = try store.finished(
      .generations, preparation: plan.sweep.preparation.canonicalSpelling, isEnough: hasAll)
    try files.requireWritable()
    try store.note(ChainScope(Set(plan.keys)))
    let measured = try plan.measure(known: known, into: store, configuration, cancellation, events)
    configuration.tellRemarks { events(.notice($0)) }
    let cases = Set(measured.cases)
    let records = try store.results(.generations, where: cases.contains).filter(hasAll)
    let report = GenerationsReport(
      records, metrics: metrics, headline: metrics.first { $0 == Self.headline } ?? metrics[0]
    ).feature
    try store.note(listing.passedOver.skipped, for: report.anchor)
    try report.withSkipped(of: store).write(to: files, version: HeicBench.version)
    return CostOutcome(output, report, measured, records)
  }

  private func variants() throws -> [VariantDescription] {
    let wanted = codecs.isEmpty ? ["jpeg", "heic"].map { CodecVariant(codec: $0) } : codecs
    let described = try PlanBuilder(registry: .standard).describe(wanted)
    if let packing = described.first(where: {
      CodecRegistry.standard.codec($0.variant.codec)?.recompresses($0.variant) == true
    }) {
      throw HeicBenchError(.usage, "\(packing.variant.name) is lossless and has no generation loss")
    }
    return described
  }

  private func chains(
    _ entries: [CorpusEntry], _ variants: [VariantDescription]
  ) throws -> GenerationsPlan {
    var scored = try MetricSuite(sdr: metrics).traits.map(\.id)
    if !scored.contains(Self.headline.id), score != nil || scored.isEmpty { scored.append(Self.headline.id) }
    return GenerationsPlan(
      sweep: PlanBuilder(registry: .standard).plan(
        entries: entries, variants: variants,
        qualities: QualityList(score == nil ? qualities : []),
        target: score.map { QualityTarget(.score(Self.headline, $0)) }, metrics: scored),
      count: generations)
  }
}
