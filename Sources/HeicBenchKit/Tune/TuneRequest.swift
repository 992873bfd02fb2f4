import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Workers

/// A search for a codec's best settings on some images, confirmed on others.
package struct TuneRequest: Request {
  package var images: ImageSource
  /// The codec with the settings to start from; the search compares everything with these.
  package var codec = CodecVariant(codec: "heic")
  package var builds: [LibraryBuild] = []
  /// Names of settings that the search does not change.
  package var keptSettings: [String] = []
  /// The SSIMULACRA2 at which bytes are compared.
  package var score = 70.0
  /// The most CPU time for an encode, milliseconds per megapixel; nil for the time of the starting settings.
  package var cpu: Double?
  /// Images to confirm on; nil sets aside a third of `images`.
  package var confirmation: ImageSource?
  /// Seed for the choice of images to set aside, and for the order of the others.
  package var seed: UInt64 = 1
  package var downscale = 1
  /// Seconds for search and confirmation together; nil for no limit.
  package var budget: Double?
  package var workers = WorkerSettings()
  package var output: String
  /// True to try again what failed in earlier runs.
  package var retriesFailed = false
  /// The command line recorded for the run.
  package var command: [String] = []

  package init(images: ImageSource, output: String = "results") {
    (self.images, self.output) = (images, output)
  }

  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> TuneOutcome {
    try HeicBenchError.mapping {
      try check()
      return try tune(cancellation, events)
    }
  }

  /// More images take time away from trying further settings. 24 photographs left a gain of 1.8 % undecided.
  private static let most = (searching: 48, confirming: 24)
  private static let shareConfirming = 3
  /// The search's share of the budget; the rest is for the confirmation.
  private static let shareSearching = 0.7
  /// The metric that decides, and two of other kinds: a model of the eye, and one based on blocks of frequencies.
  private static let metrics =
    [MetricTraits.headline]
    + ["butteraugli-3norm", "psnr-hvs"].compactMap { id in MetricTraits.standard.first { $0.id == id } }

  private func check() throws(HeicBenchError) {
    try Limits.downscale.check(downscale)
    try Limits.budget.check(budget)
    guard MetricTraits.headline.isPossible(score) else {
      throw HeicBenchError(.usage, "--score \(Numerals.short(score)): SSIMULACRA2 is at most 100")
    }
    guard cpu.map({ $0 > 0 }) ?? true else { throw HeicBenchError(.usage, "--cpu must be above 0 ms/MP") }
    guard !codec.losesNothing else {
      throw HeicBenchError(
        .usage, "\(codec.name) is lossless, but tune compares settings at an equal score")
    }
    try HeicBenchError.requireFolder(output)
  }

  // MARK: Images

  struct Split {
    var entries: [CorpusEntry]
    var searching, confirming: [Int]
    var passedOver: PassedOver
  }

  private func split(
    _ describer: WorkerDescriber, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> Split {
    var passedOver: PassedOver?
    func usable(_ source: ImageSource) throws -> [CorpusEntry] {
      let listing = try source.listing(to: "tune for", by: describer) { events(.notice($0)) }
      passedOver = passedOver ?? listing.passedOver
      for entry in listing.entries {
        guard let problem = entry.problem else { continue }
        events(.notice("“\(entry.identity.name)” is left out: \(problem.message)"))
      }
      return listing.entries.filter { $0.problem == nil }.withoutCopies
    }
    var generator = SeededGenerator(seed: seed)
    var search = try usable(images).shuffled(using: &generator)
    var confirm: [CorpusEntry] = []
    if let confirmation {
      let seen = Set(search.map(\.identity.contentHash))
      confirm = try usable(confirmation).filter { !seen.contains($0.identity.contentHash) }
        .shuffled(using: &generator)
    } else {
      let count = max(search.count / Self.shareConfirming, Bootstrap.minimumImages)
      confirm = Array(search.prefix(count))
      search.removeFirst(confirm.count)
    }
    (search, confirm) = (
      Array(search.prefix(Self.most.searching)), Array(confirm.prefix(Self.most.confirming))
    )
    guard min(search.count, confirm.count) >= Bootstrap.minimumImages else {
      let least = Bootstrap.minimumImages
      throw HeicBenchError(
        .usage,
        "tune needs \(least) images to search on and \(least) others to confirm on (here \(search.count) and "
          + "\(confirm.count)); name more images, or others with --confirm")
    }
    return Split(
      entries: search + confirm, searching: Array(search.indices),
      confirming: Array(search.count..<search.count + confirm.count), passedOver: passedOver ?? PassedOver())
  }

  // MARK: Variants

  /// The trials of a codec without the changes of settings that are to be kept.
  private func trials(of codec: String, _ traits: CodecTraits) throws -> [SettingTrial] {
    func keys(_ change: String) -> Set<String> { Set(TuneSearch.settings(of: change).keys) }
    let all = Set(traits.trials.flatMap(\.changes).flatMap(keys))
    guard !all.isEmpty else {
      throw HeicBenchError(.usage, "\(codec) has no settings worth trying")
    }
    if let stranger = keptSettings.first(where: { !all.contains($0) }) {
      throw HeicBenchError(
        .usage,
        "--keep \(stranger): tune does not change this setting of \(codec), only "
          + all.sorted().joined(separator: ", "))
    }
    let trials = traits.trials.map { trial in
      var trial = trial
      trial.changes.removeAll { !keys($0).isDisjoint(with: keptSettings) }
      return trial
    }
    guard trials.contains(where: { !$0.changes.isEmpty }) else {
      throw HeicBenchError(.usage, "--keep leaves nothing to search")
    }
    return trials
  }

  private func tried(_ variants: [CodecVariant], _ configuration: RunnerConfiguration) throws -> TriedBuilds {
    try TriedBuilds(
      builds, spellings: variants.filter { $0.build != nil }.map(\.name), system: .standard,
      program: configuration.workerExecutable)
  }

  private func describe(
    _ variants: [CodecVariant], _ configuration: RunnerConfiguration
  ) throws -> [VariantDescription] {
    try PlanBuilder(registry: .standard, builds: tried(variants, configuration)).describe(variants)
  }

  /// The variant as its codec spells it; nil if the codec refuses it.
  private func resolve(_ variant: CodecVariant, _ configuration: RunnerConfiguration) throws -> CodecVariant?
  {
    guard variant.build != nil else { return try? CodecRegistry.standard.variant(variant.name) }
    return try? tried([variant], configuration).variant(variant.name).variant
  }

  // MARK: Run

  private func tune(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> TuneOutcome {
    defer { cancellation.release() }
    let start = MonotonicClock.now()
    func end(_ share: Double) -> Int64? { budget.map { start + Int64($0 * share * 1e9) } }
    var configuration = try workers.configuration(limits: images.limits)
    let builds = try TriedBuilds(self.builds, namedBy: [codec], program: configuration.workerExecutable)
    configuration.builds = builds.builds
    let builder = PlanBuilder(registry: .standard, builds: builds)
    let described = try builder.describe([codec])
    guard let base = described.first?.variant,
      let traits = builds.traits(of: base) ?? CodecRegistry.standard.codec(base.codec)?.traits
    else { throw HeicBenchError(.usage, "there is no codec “\(codec.name)”") }
    let trials = try trials(of: base.codec, traits)
    let split = try split(WorkerDescriber(configuration), events)
    let files = try OutputFolder.results(at: output, refusing: TuneReport.files.refuseObstacles)
    try files.requireWritable()
    let store = try ResultStore(folder: output, options: .init(retryFailed: retriesFailed))
    let preparation = builder.preparation(for: described, downscale: downscale)
    let run = try store.begin(
      manifest(described, preparation, configuration), images: split.entries.map(\.identity))
    if let replacement = try store.replacement(by: run) { events(.notice(replacement.sentence)) }
    let pool = TunePool(
      store, run, split.entries, preparation, Self.metrics, at: score, in: traits.nativeQuality,
      configuration,
      cancellation, describe: { [self, configuration] in try describe($0, configuration) }, events: events)
    events(
      .notice(
        "searching on \(split.searching.count) images; \(split.confirming.count) others are kept for confirmation"
      ))
    pool.end = end(Self.shareSearching)
    var search = TuneSearch(from: base, trials, images: split.searching) { [self, configuration] in
      try resolve($0, configuration)
    }
    try search.run(pool)
    pool.end = end(1)
    var choice = TuneChoice(
      among: search.tried, against: base, pool, images: split.searching, cpu: cpu)
    let likely = TuneChoice(
      among: search.tried, against: base, pool, images: split.searching, cpu: cpu, loosely: true)
    let chosen = choice.variants + likely.finalists.filter { !choice.variants.contains($0) }
    if !chosen.isEmpty {
      events(
        .notice(
          "confirming \(Numerals.counted(chosen.count, "variant")) on images that the search has not seen"))
      try pool.measureWidely([base] + chosen, on: split.confirming, from: base)
    }
    try pool.show([base] + chosen)
    let isConfirmed = !pool.isOver
    if isConfirmed {
      choice = TuneChoice(among: chosen, against: base, pool, images: split.confirming, cpu: cpu)
    }
    if search.isComplete, isConfirmed { try store.finish(run, at: Timestamp.now) }
    configuration.tellRemarks { events(.notice($0)) }
    let feature = TuneReport(
      search, choice, pool, metrics: Self.metrics, score: score, split: split, isConfirmed: isConfirmed
    ).feature
    try store.note(split.passedOver.skipped, for: feature.anchor)
    let report = try feature.withSkipped(of: store)
    try report.write(to: files, version: HeicBench.version)
    return TuneOutcome(
      folder: output, report: report, wasInterrupted: pool.wasCancelled,
      ranOutOfTime: !pool.wasCancelled && !(search.isComplete && isConfirmed))
  }

  private func manifest(
    _ variants: [VariantDescription], _ preparation: Preparation, _ configuration: RunnerConfiguration
  ) -> RunManifest {
    let band = MetricTraits.headline.scale?.band ?? score...score
    var manifest = RunManifest(
      version: HeicBench.version, started: Timestamp.now, command: command, roots: images.rootNames,
      machine: CurrentMachine.describe(), variants: variants, qualities: [],
      refinement: Refinement(metric: MetricTraits.headline.id, targets: [score], band: band),
      preparation: preparation, metrics: Self.metrics, jobs: configuration.jobs, repeats: 1)
    if !configuration.builds.isEmpty { manifest.builds = configuration.builds }
    return manifest
  }
}

/// The outcome of a search for settings. Its points are in `folder`.
package struct TuneOutcome: Sendable {
  package let folder: String
  let report: FeatureReport
  package let wasInterrupted: Bool
  /// True if the budget ended before everything was tried and confirmed.
  package let ranOutOfTime: Bool

  package func text(width: Int = .max) -> String {
    let name = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return report.text(width: width) + "\nChart and tables: \(name)/\(report.files.page)\n"
  }

  package var json: String {
    get throws {
      var text = ""
      try report.writeJSON(to: &text)
      return text + "\n"
    }
  }
}
