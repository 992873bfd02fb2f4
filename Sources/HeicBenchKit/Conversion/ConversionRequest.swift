import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Workers

/// An estimate of whether converting the files of a folder pays: bytes saved, CPU time and loss. Measures a sample and
/// projects it; converts nothing and writes nothing.
package struct ConversionRequest: Request {
  package var images: ImageSource
  /// Target codecs; empty for all that can be used here, with JPEG only if there are files of other formats.
  package var codecs: [CodecVariant] = []
  /// Scores (SSIMULACRA2) that converted files must keep against the original file; 90 is visually lossless.
  package var scores: [Double] = [90]
  /// Number of files measured; the projection is exact if that is all of them.
  package var sample = 12
  /// Seed of the sample; the same folder, size and seed give the same files.
  package var seed: UInt64 = 1
  /// Time limit in seconds, after which the answer covers the files done; nil for none.
  package var budget: Double?
  package var workers = WorkerSettings()

  package init(images: [InputPath]) { self.images = ImageSource(images) }

  /// Measures the sample and projects it; a run that was stopped covers the files done.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ConversionReport {
    try HeicBenchError.mapping {
      try check()
      return try check(cancellation, events)
    }
  }

  private func check() throws(HeicBenchError) {
    try Limits.sample.check(sample)
    try Limits.budget.check(budget)
    try HeicBenchError.require(!scores.isEmpty, "there is no score to convert at")
    for score in scores where !MetricTraits.headline.isPossible(score) {
      throw HeicBenchError(
        .usage, "nothing can be converted at SSIMULACRA2 \(Numerals.short(score)), which is at most 100")
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "conversions are tried with the system’s libraries, not with “@\(build)”")
    }
  }

  private func check(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> ConversionReport {
    defer { cancellation.release() }
    let end = budget.map { MonotonicClock.now() + Int64($0 * 1e9) }
    let entries = try images.entries(to: "check")
    let usable = entries.filter { $0.problem == nil }
    let unusable = entries.filter { $0.problem != nil }
    guard !usable.isEmpty else {
      throw HeicBenchError(
        .noInput,
        "none of the files can be used; “\(entries[0].identity.name)”: \(entries[0].problem?.message ?? "")")
    }
    for entry in unusable.prefix(3) {
      events(.notice("“\(entry.identity.name)” is left out: \(entry.problem?.message ?? "")"))
    }
    let files = FolderSample(sample, of: usable, seed: seed)
    var folder = ConversionFolder(
      name: images.rootNames.joined(separator: ", "),
      unusable: unusable.map(\.identity.name), sample: files.entries.count, seed: seed)
    folder.survey(usable, files, registry: .standard) { events(.notice($0)) }
    let goals = try goals(for: usable)
    let tries = ConversionTries(
      files, configuration: try workers.configuration(limits: images.limits), cancellation: cancellation,
      end: end, kept: folder.keptBytes)
    var projections: [ConversionProjection] = []
    for (number, goal) in goals.enumerated() {
      let tried = try tries.measure(goal.variant, score: goal.score) { done in
        events(
          .progress(
            done: number * files.entries.count + done, total: goals.count * files.entries.count))
      }
      projections.append(
        ConversionProjection(goal.variant.variant, score: goal.score, files: tried, kinds: files.kinds))
    }
    events(.ended)
    folder.isUnfinished = tries.wasCancelled
    if tries.wasCancelled {
      projections = projections.compactMap { .soFar($0.variant, score: $0.score, files: $0.files) }
    }
    return ConversionReport(folder: folder, projections: projections, ranOutOfTime: tries.ranOutOfTime)
  }

  /// The named codecs with their settings, or else all usable ones, at every score; those without loss last.
  private func goals(
    for entries: [CorpusEntry]
  ) throws -> [(variant: VariantDescription, score: Double?)] {
    let registry = CodecRegistry.standard
    let formats = Set(entries.compactMap(\.header?.format))
    var wanted = codecs
    if wanted.isEmpty {
      let there = registry.codecs.map(\.traits).filter { !$0.isHidden && $0.absence == nil }
      wanted = there.map { CodecVariant(codec: $0.id) }.filter { $0.codec != "jpeg" || formats != ["jpeg"] }
      if formats.contains("jpeg"), there.contains(where: { $0.id == "jxl" }) {
        wanted.append(CodecVariant(codec: "jxl", settings: ["recompress": "true"]))
      }
    }
    let described = try PlanBuilder(registry: registry).describe(wanted)
    let isLossless = { (description: VariantDescription) in
      registry.codec(description.variant.codec)?.recompresses(description.variant) ?? false
    }
    return described.filter { !isLossless($0) }.flatMap { variant in
      scores.sorted().map { (variant, $0) }
    } + described.filter(isLossless).map { ($0, nil) }
  }
}
