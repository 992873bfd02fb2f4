import BenchModel
import CodecKit
import Codecs
import Foundation
import Metrics
import Reports
import Results
import Sweep

/// One call of the sweep, from the options to the exit code.
struct SweepSession {
  let corpus: CorpusOptions
  let coding: CodingOptions
  let runner: RunnerOptions
  let judgement: JudgementOptions
  let output: OutputOptions
  let page: PageOptions

  func run() throws -> ExitStatus {
    let interruption = Interruption()
    let progress = ProgressReporter(isQuiet: output.quiet)
    let sources = try corpus.sources()
    let files = try CorpusReader.find(sources)
    guard files.count > 0 else { throw nothingFound(files.passedOver) }
    let store = try ResultStore(folder: output.output, options: output.storeOptions)
    let listing = read(files, store, progress)
    guard !listing.entries.isEmpty else { throw nothingFound(listing.passedOver) }
    let plan = try plan(listing.entries)
    let configuration = runner.configuration(corpus, coding)
    let manifest = try manifest(plan, configuration, sources, listing)
    let run = try store.begin(manifest, images: plan.entries.map(\.identity))
    if !output.quiet {
      for notice in try store.notices(for: run) { StandardError.notice(notice.description) }
    }
    let sweep = SweepRunner(
      plan: plan, configuration: configuration, sink: store, finished: store, progress: progress.show)
    interruption.perform { sweep.cancel() }
    let summary = try Result { try sweep.run() }.after { progress.close() }.get()
    if !summary.wasCancelled { try store.finish(run, at: Self.now) }
    let source = RowSource(store, run: try ResultsInput.latestRun(of: store))
    let report = try write(source, manifest, plan, summary, store.folder, interruption)
    try tell(summary, report, source)
    return try status(summary, plan, store, run)
  }

  /// Writes the files that people read. A run that was interrupted ends without making pictures.
  private func write(
    _ source: RowSource, _ manifest: RunManifest, _ plan: SweepPlan, _ summary: SweepSummary,
    _ folder: String, _ interruption: Interruption
  ) throws -> RunReport {
    let pictures = PictureSet(
      manifest: manifest, entries: plan.entries, limits: corpus.limits, folder: folder, options: page)
    // The results are safe by now, and encodes in this process cannot be stopped: so end at once.
    interruption.perform { if !summary.wasCancelled { exit(ExitStatus.interrupted.rawValue) } }
    return try ReportWriter(folder: folder, options: judgement.options)
      .write(source, title: page.title) { summary.wasCancelled ? [] : try pictures.make(for: $0) }
  }

  private func read(
    _ files: FoundFiles, _ store: ResultStore, _ progress: ProgressReporter
  ) -> CorpusListing {
    let reader = CorpusReader(registry: .standard, limits: corpus.limits, cache: store)
    let listing = reader.read(files, limit: corpus.limit) { progress.showReading($0, of: files.count) }
    progress.close()
    if !output.quiet, !listing.passedOver.counts.isEmpty {
      StandardError.notice("passed over " + Self.phrase(listing.passedOver))
    }
    return listing
  }

  private func plan(_ entries: [CorpusEntry]) throws -> SweepPlan {
    PlanBuilder(registry: .standard).plan(
      entries: entries, variants: try coding.variants(), qualities: coding.qualities,
      metrics: coding.metrics.identifiers + coding.metricCommands.map(\.metric.id), repeats: runner.repeats,
      background: coding.background.components, downscale: coding.downscale, shard: corpus.shard)
  }

  private func manifest(
    _ plan: SweepPlan, _ configuration: RunnerConfiguration, _ sources: CorpusSources,
    _ listing: CorpusListing
  ) throws -> RunManifest {
    let roots = sources.roots + (corpus.files.map { [Array("--files \($0)".utf8)] } ?? [])
    return RunManifest(
      version: HeicBench.version, started: Self.now,
      command: ["heicbench"] + CommandLine.arguments.dropFirst(), roots: roots.map(ImageName.printable),
      machine: CurrentMachine.describe(), variants: plan.variants, qualities: plan.qualities,
      preparation: plan.preparation, metrics: try coding.metricTraits(), jobs: configuration.jobs,
      repeats: plan.repeats, passedOver: listing.passedOver.countsByName, shard: corpus.shard?.description)
  }

  /// What is said at the end: the answer on standard output, what became of the points on standard error.
  private func tell(_ summary: SweepSummary, _ report: RunReport, _ source: RowSource) throws {
    if let format = output.format {
      var stream = StandardOutput()
      try format.write(source, options: judgement.options, to: &stream)
    } else if !output.quiet {
      StandardOutput.write(ConsoleReport.text(report.analysis, report.digest))
    }
    guard !output.quiet else { return }
    StandardError.notice(ConsoleReport.closing(summary, folder: output.output))
  }

  private func status(
    _ summary: SweepSummary, _ plan: SweepPlan, _ store: ResultStore, _ run: RunID
  ) throws -> ExitStatus {
    if summary.wasCancelled { return .interrupted }
    let failures = try store.failures(of: run)
    let unusable = failures.count { $0.key == nil }
    if !plan.entries.isEmpty, unusable == plan.entries.count {
      throw CommandError(
        .noInput,
        "none of the \(unusable) images can be used: “\(failures[0].image.name)” "
          + failures[0].failure.message)
    }
    return failures.isEmpty ? .success : .someFailed
  }

  private func nothingFound(_ passedOver: PassedOver) -> CommandError {
    let detail = passedOver.counts.isEmpty ? "" : " Passed over: \(Self.phrase(passedOver))."
    let formats = "PNG, JPEG, PNM, HEIC and AVIF"
    return CommandError(.noInput, "there is no image to measure; heicbench reads \(formats).\(detail)")
  }

  /// `2 hidden, 1 not an image (notes.txt)`.
  private static func phrase(_ passedOver: PassedOver) -> String {
    PassedOver.Reason.allCases.compactMap { reason in
      guard let count = passedOver.counts[reason] else { return nil }
      let examples = passedOver.examples[reason] ?? []
      let names = examples.prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
      return "\(count) \(reason.rawValue) (\(names))"
    }.joined(separator: "; ")
  }

  private static var now: String { Date.now.formatted(.iso8601) }
}

extension Result {
  /// Does something whichever way it went.
  fileprivate func after(_ body: () -> Void) -> Self {
    body()
    return self
  }
}
