import Analysis
import Foundation
import Model
import Reports
import Store
import Synchronization
import Workers

struct SweepRun {
  private let request: SweepRequest
  private let cancellation: Cancellation
  private let events: @Sendable (SweepEvent) -> Void
  /// Deadline on `MonotonicClock`; nil for none.
  private let end: Int64?

  init(
    _ request: SweepRequest, cancellation: Cancellation, events: @escaping @Sendable (SweepEvent) -> Void
  ) {
    self.request = request
    self.cancellation = cancellation
    self.events = events
    end = request.budget.map { MonotonicClock.now() + Int64($0 * 1e9) }
  }

  func run() throws -> SweepOutcome {
    defer { cancellation.release() }
    let setup = try SweepSetup(request, events: events)
    defer { setup.close() }
    let store = setup.store
    let earlier = ReportStamp.holding(in: setup.files)
    // Earlier reports hold until the first record of this run.
    let sink = AnnouncedSink(setup.sink) { ReportStamp.remove(from: setup.files) }
    if request.timing != .none { sink.announce() }
    let run = try store.begin(setup.manifest, images: setup.plan.entries.map(\.identity))
    if let replacement = try store.replacement(by: run) { events(.notice(replacement.sentence)) }
    for notice in try store.notices(for: run) { events(.notice(notice.sentence)) }
    var summary = try measure(setup, run, into: sink)
    if let sandbox = summary.sandbox { try store.note(sandbox, of: run) }
    var timed = (points: 0, seconds: 0.0)
    if request.timing != .none, !summary.wasCancelled {
      let start = MonotonicClock.now()
      let timing = try time(setup, run)
      timed = (timing.timed, Double(MonotonicClock.now() - start) / 1e9)
      (summary.wasCancelled, summary.ranOutOfTime) = (timing.wasCancelled, timing.ranOutOfTime)
    }
    if !summary.wasCancelled { try store.finish(run, at: Timestamp.now) }
    let stored = try ResultsInput.latestRun(of: store)
    var stamp = try setup.stamp(request)
    let areCurrent =
      summary.changedNothing && request.timing == .none && earlier?.isOf(stamp) == true
      && earlier?.answer != nil
    if !areCurrent { sink.announce() }
    let written =
      try areCurrent
      ? nil : write(stored, setup, wasCancelled: summary.wasCancelled)
    let lacksPictures = written?.lacksPictures == true
    stamp.answer = written?.answer ?? earlier?.answer
    if !summary.wasCancelled, !lacksPictures {
      try stamp.leave(in: setup.files, inPlaceOf: areCurrent ? earlier : nil)
    }
    summary.wasCancelled = summary.wasCancelled || lacksPictures
    return SweepOutcome(
      folder: store.folder, failures: try store.failures(of: run).map(FailedPoint.init), timed: timed,
      notKept: setup.kept?.notKept ?? [], summary: summary, store: store, run: stored,
      options: setup.analysis,
      written: written?.report, answer: stamp.answer, lacksPictures: lacksPictures,
      images: setup.plan.entries.count)
  }

  private func measure(
    _ setup: SweepSetup, _ run: RunID, into sink: any RecordSink
  ) throws -> SweepSummary {
    let plan = setup.plan
    events(.detail { "\(plan.entries.count) images, \(plan.pointCount) points, \(setup.configuration)" })
    defer { events(.stepEnded) }
    var watch: HeadlineWatch?
    let outlook = Mutex(SweepOutlook(plan, jobs: setup.configuration.jobs, budget: request.budget))
    if plan.target == nil {
      watch = HeadlineWatch(
        sink, of: run, in: setup.store, plan: plan, metrics: setup.manifest.metrics,
        options: setup.analysis)
      events(.planned(outlook.withLock { $0 }))
    }
    let sweep = SweepRunner(
      plan: plan, configuration: setup.configuration, sink: watch ?? sink, finished: setup.finished,
      drawing: drawing(setup), end: end
    ) { [events, watch] progress in
      if plan.target == nil, let estimated = outlook.withLock({ $0.estimated(progress) }) {
        events(.planned(estimated))
      }
      if let news = watch?.news() { events(.headline(news)) }
      events(.measuring(progress))
    }
    cancellation.perform { sweep.cancel() }
    let summary = try sweep.run()
    if let target = plan.target { try write(target, setup, run) }
    events(.detail { [summary] in "\(summary)" })
    return summary
  }

  /// Limit on the images drawn while measured, as a multiple of those shown: which ones are shown is known only at the
  /// end, and drawing expensive ones then takes several times as long.
  private static let mostImagesDrawn = 4

  /// The points drawn while workers have their pixels; none for a search or without a folder for encoded files.
  private func drawing(_ setup: SweepSetup) -> PointDrawing {
    guard setup.encoded != nil, setup.plan.target == nil else { return .nothing }
    let images = setup.plan.entries.count
    guard let shown = request.page.images, shown < images else { return .all }
    return images <= Self.mostImagesDrawn * shown && EncodedFiles.areFew(drawnPixels: setup.plan.pixelCount)
      ? .dear : .nothing
  }

  private func write(_ target: TargetStrategy, _ setup: SweepSetup, _ run: RunID) throws {
    let table = try TargetTable(target, setup, run: run)
    if let metric = target.target.metric?.id {
      var directions = DirectionCheck(metrics: setup.manifest.metrics)
      try setup.store.forEachRow(of: run) { directions.add($0) }
      try directions.refuseReversed([metric])
    }
    try setup.files.write(table.csv, to: ResultsFolder.targetsName)
  }

  private func time(_ setup: SweepSetup, _ run: RunID) throws -> TimingSummary {
    let session = TimingSession(setup: setup, run: run, isFresh: request.reuse == .nothing, end: end)
    let summary = try session.time(cancellation, events: events)
    events(.detail { "\(summary)" })
    if let drift = summary.driftPercent { try setup.store.note(drift: drift, of: run) }
    if summary.isDrifting, let drift = summary.driftPercent {
      events(
        .notice(
          "the machine drifted by \((drift * 10).rounded() / 10) % while points were timed: close what else runs "
            + "and time again with --fresh"))
    }
    return summary
  }

  /// Writes the reports, without pictures if the run is interrupted before, or while they are made (`lacksPictures`).
  private func write(
    _ run: StoredRun, _ setup: SweepSetup, wasCancelled: Bool
  ) throws -> (report: RunReport, answer: String, lacksPictures: Bool) {
    let entry = { @Sendable name in setup.plan.entries.first { $0.identity.name == name } }
    let notice = { @Sendable [events] text in events(.warning(text)) }
    let pictures = PictureSet(
      manifest: setup.manifest, imports: try setup.store.importHashes(of: setup.manifest), entry: entry,
      configuration: setup.configuration, encoded: setup.encoded, page: request.page,
      progress: { [events] in events(.drawing(done: $0, total: $1)) },
      notice: notice)
    let readPictures = ReadPictureSet(
      entry: entry, configuration: setup.configuration, page: request.page, notice: notice)
    // The results are safe by now; only pictures are left out.
    cancellation.perform {
      pictures.cancel()
      readPictures.cancel()
    }
    let isShown = !wasCancelled && request.page.images != 0
    var answer = ""
    let source = RowSource(setup.store, run: run, pictures: isShown ? readPictures : nil)
    let report = try ReportWriter(folder: setup.store.folder, options: setup.analysis).write(
      source, title: request.page.title,
      pictures: { [events] report, files in
        // The answer does not wait for pictures.
        answer = AnswerText.text(report)
        events(.answer(answer))
        guard isShown else { return [] }
        defer { events(.stepEnded) }
        return try pictures.make(for: report.analysis, in: files)
      })
    return (report, answer, isShown && pictures.wasCancelled)
  }
}
