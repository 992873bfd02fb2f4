import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Workers

/// An estimate of whether converting the files of a folder is worthwhile: bytes saved, CPU time and loss. It measures a
/// sample and projects it, but does not convert or write any files.
package struct ConversionRequest: Request {
  package var images: ImageSource
  /// Target codecs; empty for HEIC.
  package var codecs: [CodecVariant] = []
  /// Scores (SSIMULACRA2) that converted files must reach against the original file. At 90 no loss is visible when the
  /// two flicker, at 80 none is visible side by side.
  package var scores: [Double] = [80, 90]
  /// The number of files to measure; if that is all of them, nothing is projected. Nil for 12, or up to 36 in a folder
  /// with many kinds.
  package var sample: Int?
  /// Seed of the sample; the same folder, size and seed give the same files.
  package var seed: UInt64 = 1
  /// Time limit in seconds, after which the answer covers the files done so far; nil for none.
  package var budget: Double?
  package var workers = WorkerSettings()

  package init(images: ImageSource) { self.images = images }

  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ConversionReport {
    try HeicBenchError.mapping {
      try check()
      return try check(cancellation, events)
    }
  }

  private func check() throws(HeicBenchError) {
    if let sample { try Limits.sample.check(sample) }
    try Limits.budget.check(budget)
    try HeicBenchError.require(!scores.isEmpty, "--score needs at least one score")
    for score in scores where !MetricTraits.headline.isPossible(score) {
      throw HeicBenchError(
        .usage, "--score \(Numerals.short(score)): SSIMULACRA2 is at most 100")
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "convert-check uses the system’s libraries, not “@\(build)”")
    }
  }

  private func check(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> ConversionReport {
    defer { cancellation.release() }
    let end = budget.map { MonotonicClock.now() + Int64($0 * 1e9) }
    let configuration = try workers.configuration(limits: images.limits)
    let describer = WorkerDescriber(configuration)
    // The answer already says what was skipped.
    let listing = try images.listing(to: "check", by: describer, as: .contents) { _ in }
    describer.end()
    let entries = listing.entries
    let (unusable, readable) = (entries.filter { $0.problem != nil }, entries.filter { $0.problem == nil })
    let usable = readable.withoutCopies
    guard !usable.isEmpty else {
      throw HeicBenchError(
        .noInput,
        "heicbench cannot use any of the files; “\(entries[0].identity.name)”: \(entries[0].problem?.message ?? "")"
      )
    }
    for entry in unusable.prefix(3) {
      events(.notice("“\(entry.identity.name)” is left out: \(entry.problem?.message ?? "")"))
    }
    let files = FolderSample(sample, of: usable, seed: seed)
    var folder = ConversionFolder(
      name: images.rootNames.joined(separator: ", "),
      unusable: unusable.map(\.identity.name), sample: files.entries.count, seed: seed)
    folder.copies = readable.count - usable.count
    folder.skipped = listing.passedOver
    folder.survey(usable, files) { events(.notice($0)) }
    let trial = ConversionTrial(files, try goals(), configuration, cancellation, end: end)
    events(.notice(trial.price))
    try run(trial, folder, events)
    return trial.report(folder)
  }

  /// Runs both passes and reports the answer so far after each file.
  private func run(
    _ trial: ConversionTrial, _ folder: ConversionFolder,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws {
    let progress = { @Sendable (done: Int) in
      // The progress line shows the latest answer.
      events(.answer(trial.report(folder).brief))
      events(.progress(done: done, total: folder.sample))
    }
    try trial.run(progress: progress)
    events(.ended)
    guard !trial.wasStopped, trial.goals.contains(where: { $0.score != nil }) else { return }
    events(.notice("\(trial.report(folder).answer) Encoding files at the quality to set …"))
    try trial.settle(progress: progress)
    events(.ended)
  }

  /// The named codecs with their settings at every score; lossless ones last.
  private func goals() throws -> [ConversionGoal] {
    let builder = PlanBuilder(registry: .standard)
    let described = try builder.describe(codecs.isEmpty ? [CodecVariant(codec: "heic")] : codecs)
    var goals: [ConversionGoal] = []
    for asked in described where !asked.variant.losesNothing {
      for score in scores.sorted() {
        guard let goal = try goal(asked, score) else { continue }
        goals.append(goal)
        guard score >= Self.fullChroma, let whole = asked.variant.withFullChroma,
          let rival = try? builder.describe([whole]).first, var other = try self.goal(rival, score)
        else { continue }
        other.rival = goals.count - 1
        goals.append(other)
      }
    }
    let lossless = described.filter(\.variant.losesNothing)
    return try goals + lossless.compactMap { try goal($0, nil) }
  }

  /// The score from which full chroma is tried as well as halved.
  private static let fullChroma = 85.0

  private func goal(_ asked: VariantDescription, _ score: Double?) throws -> ConversionGoal? {
    guard let traits = CodecRegistry.standard.codec(asked.variant.codec)?.traits else { return nil }
    var goal = ConversionGoal(asked: asked, score: score, range: traits.nativeQuality)
    guard score != nil, let quick = Self.quick(asked.variant) else { return goal }
    goal.quick = try PlanBuilder(registry: .standard).describe([quick]).first { $0 != asked }
    return goal
  }

  /// A variant with its codec's fast settings; nil if it has none, or if they do not apply beside the variant's own.
  static func quick(_ asked: CodecVariant) -> CodecVariant? {
    guard let traits = CodecRegistry.standard.codec(asked.codec)?.traits, !traits.quick.isEmpty,
      let fast = CodecVariant(unchecked: "\(asked.codec):\(traits.quick)")
    else { return nil }
    let merged = CodecVariant(codec: asked.codec, settings: asked.settings.merging(fast.settings) { $1 })
    return try? CodecRegistry.standard.variant(merged.name)
  }
}
