import Analysis
import Foundation
import Logging
import Model
import Reports
import Store
import Sweep

/// One call of the sweep, from the options to the exit code.
struct SweepSession {
  let options: SweepOptions
  private let interruption: Interruption
  private let progress: ProgressReporter
  private let log: Logger

  init(_ options: SweepOptions) throws {
    self.options = options
    interruption = try Interruption()
    progress = ProgressReporter(isQuiet: options.output.quiet)
    log = Diagnostics.start(isVerbose: options.output.verbose)
  }

  func run() throws -> ExitStatus {
    defer { interruption.release() }
    // What is wrong with the options is said now, before anything is made or measured for an hour.
    let target = try options.searchedTarget()
    _ = try options.analysisOptions(target)
    let timedQualities = try options.timing.selected(from: options.coding.qualities.qualities)
    try options.gateSession?.check(metrics: try options.coding.metricTraits().map(\.id))
    let setup = try SweepSetup(options, target: target, progress: progress)
    let store = setup.store
    defer { setup.close() }
    let earlier = ReportStamp.take(from: setup.files)
    let run = try store.begin(setup.manifest, images: setup.plan.entries.map(\.identity))
    notify(try (store.replacement(by: run).map { [$0] } ?? []) + store.notices(for: run).map(\.description))
    var summary = try measure(setup, run)
    if options.timing.isWanted, !summary.wasCancelled {
      summary.wasCancelled = try time(setup, run, at: timedQualities).wasCancelled
    }
    if !summary.wasCancelled { try store.finish(run, at: Timestamp.now) }
    let source = RowSource(store, run: try ResultsInput.latestRun(of: store))
    let stamp = try setup.stamp(options)
    let areCurrent = summary.changedNothing && !options.timing.isWanted && earlier?.isOf(stamp) == true
    let report = try areCurrent ? read(source, setup.analysis) : write(source, setup, summary)
    if !summary.wasCancelled { try stamp.leave(in: setup.files) }
    try tell(summary, report, source, setup.analysis)
    if summary.wasCancelled { return .interrupted }
    let notKept = setup.kept?.notKept ?? []
    for name in notKept { StandardError.notice("“\(name)” is not kept: it is not what was measured") }
    let status = try status(of: store.failures(of: run), images: setup.plan.entries.count, judge(source))
    return status == .success && !notKept.isEmpty ? .someFailed : status
  }

  /// Sweeps over qualities, or searches where there is a target.
  private func measure(_ setup: SweepSetup, _ run: RunID) throws -> SweepSummary {
    log.debug("\(setup.plan.entries.count) images, \(setup.plan.pointCount) points, \(setup.configuration)")
    defer { progress.close() }
    if let target = setup.target {
      let session = TargetSession(
        setup: setup, run: run, target: target, isFresh: options.output.fresh)
      let summary = try session.search(interruption: interruption, progress: progress)
      log.debug("\(summary)")
      return summary
    }
    let sweep = SweepRunner(
      plan: setup.plan, configuration: setup.configuration, sink: setup.sink,
      finished: setup.finished, progress: progress.show)
    interruption.perform { sweep.cancel() }
    let summary = try sweep.run()
    log.debug("\(summary)")
    return summary
  }

  private func time(_ setup: SweepSetup, _ run: RunID, at qualities: [Quality]?) throws -> TimingSummary {
    let session = TimingSession(setup: setup, run: run, isFresh: options.output.fresh)
    let summary = try session.time(at: qualities, interruption: interruption, progress: progress)
    log.debug("\(summary)")
    if let drift = summary.driftPercent { try setup.store.note(drift: drift, of: run) }
    if summary.isDrifting, let drift = summary.driftPercent {
      notify([
        "the machine drifted by \((drift * 10).rounded() / 10) % while points were timed: close what else runs "
          + "and time again with --fresh"
      ])
    }
    return summary
  }

  /// Writes the files that people read. A run that was interrupted ends without making pictures.
  private func write(
    _ source: RowSource, _ setup: SweepSetup, _ summary: SweepSummary
  ) throws -> RunReport {
    let pictures = PictureSet(
      manifest: setup.manifest,
      entry: { name in setup.plan.entries.first { $0.identity.name == name } }, limits: options.corpus.limits,
      encoded: setup.encoded, options: options.page)
    // The results are safe by now, and encodes in this process cannot be stopped: so end at once.
    interruption.perform {
      guard !summary.wasCancelled else { return }
      setup.close()
      exit(ExitStatus.interrupted.rawValue)
    }
    return try ReportWriter(folder: setup.store.folder, options: setup.analysis)
      .write(source, title: options.page.title) {
        summary.wasCancelled ? [] : try pictures.make(for: $0, in: $1)
      }
  }

  /// What the reports that are there already say; nil where nobody asked.
  private func read(_ source: RowSource, _ analysis: AnalysisOptions) throws -> RunReport? {
    guard !options.output.quiet, options.output.format == nil else { return nil }
    return try RunReport(reading: source, options: analysis)
  }

  /// What is said at the end: the answer on standard output, what became of the points on standard error.
  private func tell(
    _ summary: SweepSummary, _ report: RunReport?, _ source: RowSource, _ analysis: AnalysisOptions
  ) throws {
    if let format = options.output.format {
      var stream = StandardOutput()
      try format.write(source, options: analysis, to: &stream)
    } else if !options.output.quiet, let report {
      StandardOutput.write(ConsoleReport.text(report.analysis, report.digest))
    }
    notify([ConsoleReport.closing(summary, folder: options.output.output)])
  }

  /// The gate's outcome; nil without one.
  private func judge(_ source: RowSource) throws -> GateSession.Outcome? {
    guard let outcome = try options.gateSession?.compare(with: source, at: options.output.output)
    else { return nil }
    if options.output.format == nil || options.output.format == .markdown {
      StandardOutput.write("\n" + outcome.markdown)
    } else {
      StandardError.notice(outcome.report.headline)
    }
    return outcome
  }

  private func status(
    of failures: [StoredFailure], images: Int, _ gate: GateSession.Outcome?
  ) throws -> ExitStatus {
    if gate?.hasFailed == true { return .regression }
    let unusable = failures.filter { $0.key == nil }
    if let first = unusable.first, unusable.count == images {
      throw CommandError(
        .noInput,
        "none of the \(images) images can be used: “\(first.image.name)” \(first.failure.message)")
    }
    return failures.isEmpty ? .success : .someFailed
  }

  private func notify(_ notices: [String]) {
    guard !options.output.quiet else { return }
    for notice in notices { StandardError.notice(notice) }
  }
}
