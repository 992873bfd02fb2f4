import Analysis
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Reports
import Store
import Synchronization
import Workers

struct SweepRun {
  let request: SweepRequest
  let cancellation: Cancellation
  let events: @Sendable (SweepEvent) -> Void
  let end: Int64?
  let store: ResultStore
  let files: OwnedFolder
  let plan: SweepPlan
  let configuration: RunnerConfiguration
  let manifest: RunManifest
  private let encoded: EncodedFiles?
  let kept: KeptFiles?
  let analysis: AnalysisOptions

  init(
    _ request: SweepRequest, cancellation: Cancellation, events: @escaping @Sendable (SweepEvent) -> Void
  ) throws {
    (self.cancellation, self.events) = (cancellation, events)
    let (checked, target) = try Self.checked(request)
    // After the check, since an endless budget has no end in nanoseconds.
    end = request.budget.map { MonotonicClock.now() + Int64($0 * 1e9) }
    var request = checked
    let found = try request.images.files()
    guard found.count > 0 else { throw ImageInput.nothing(to: "measure", found.passedOver) }
    // Refuses a foreign folder before creating anything in it.
    let present = try Self.resultsFolder(request.output)
    var configuration = try request.workers.configuration(
      limits: request.images.limits, externalMetrics: request.metricCommands.map(\.metric))
    let builds = try TriedBuilds(
      request.builds, namedBy: request.codecs + request.addedCodecs, program: configuration.workerExecutable)
    configuration.builds = builds.builds
    configuration.scoresThroughBuild = request.scoresThroughBuilds
    // The store keeps each image's remarks.
    configuration.remarks = nil
    store = try ResultStore(folder: request.output, options: ResultStore.Options(request.reuse))
    files = try present ?? ResultsFolder.open(store.folder)
    if present == nil { try ResultsFolder.refuseObstacles(in: files) }
    let reader = Self.reader(request, WorkerDescriber(configuration), cache: store)
    let listing = try Self.listing(found, &request, builds, by: reader, events)
    try request.gate?.check(metrics: try request.metricTraits().map(\.id), isHDR: request.light != nil)
    self.request = request
    analysis = try request.judgement.options(
      metrics: request.metricTraits(target), target: target, population: listing.sample?.population)
    plan = try request.plan(listing.entries, builds, analysis, target: target)
    kept = try request.keptFiles.map { [store, plan] in
      try KeptFiles(folder: $0, store: store, plan: plan)
    }
    encoded = try Self.encodedFiles(plan, request, in: files)
    configuration.keepFolder = kept?.scratch ?? encoded?.folder
    self.configuration = configuration
    let latest = try store.latestRun()?.manifest
    manifest = try Self.manifest(request, of: plan, configuration, listing, after: latest) {
      try configuration.identicalScores(cancellation) { events(.warning($0)) }
    }
  }

  /// The request in its light, and what it searches for. Throws for a wrong request before anything is created, or
  /// measured for an hour.
  private static func checked(
    _ request: SweepRequest
  ) throws -> (request: SweepRequest, target: QualityTarget?) {
    let request = request.light.map(request.inLight) ?? request
    try request.check()
    let target = try request.searchedTarget()
    _ = try request.judgement.options(metrics: request.metricTraits(target), target: target)
    if request.light != nil { try request.requireMetricsOfItsLight() }
    _ = try request.timedQualities()
    // The metrics of an HDR run count as well, since it may become one.
    let mayBecomeHDR = request.light == nil && MetricTraits.isUnspecific(request.metrics)
    try request.gate?.check(
      metrics: try request.metricTraits().map(\.id) + (mayBecomeHDR ? MetricTraits.hdr.map(\.id) : []))
    return (request, target)
  }

  /// The run's manifest. `identicalScores` tries the metric programs on identical images, unless the latest run did.
  private static func manifest(
    _ request: SweepRequest, of plan: SweepPlan, _ configuration: RunnerConfiguration,
    _ listing: CorpusListing, after latest: RunManifest?, identicalScores: () throws -> [String: Double]
  ) throws -> RunManifest {
    var manifest = try request.manifest(
      of: plan, configuration, roots: request.images.rootNames, listing)
    // Imported files of the same pictures stay next to the new measurements.
    if latest?.preparation == manifest.preparation { manifest.imports = latest?.imports }
    let known =
      request.reuse == .nothing ? nil : Self.identicalScores(latest, by: manifest.metricPrograms ?? [:])
    let tried = try known ?? identicalScores()
    for index in manifest.metrics.indices {
      manifest.metrics[index].identical = tried[manifest.metrics[index].id]
    }
    return manifest
  }

  /// The scores of identical images by an earlier run's programs; nil unless it tried all of these and they are the same.
  private static func identicalScores(
    _ earlier: RunManifest?, by programs: [String: String]
  ) -> [String: Double]? {
    var scores: [String: Double] = [:]
    for (id, program) in programs {
      guard earlier?.metricPrograms?[id] == program,
        let score = earlier?.metrics.first(where: { $0.id == id })?.identical
      else { return nil }
      scores[id] = score
    }
    return scores
  }

  /// The images. If all are HDR and the request does not ask for anything specific to SDR, it becomes an HDR run.
  private static func listing(
    _ found: FoundFiles, _ request: inout SweepRequest, _ builds: TriedBuilds, by reader: CorpusReader,
    _ events: @escaping @Sendable (SweepEvent) -> Void
  ) throws -> CorpusListing {
    var listing = try read(found, request, by: reader, events)
    guard !listing.entries.isEmpty else { throw ImageInput.nothing(to: "measure", listing.passedOver) }
    if request.light == nil, listing.isHDR {
      do {
        (request, listing) = (try request.asHDR(builds), listing.withHDR)
        events(.notice("all images are HDR, so heicbench measures HDR, as with --light file"))
      } catch {
        events(.notice("all images are HDR, but heicbench cannot measure HDR here: \(error)"))
      }
    }
    try request.requireMetricsOfItsLight()
    return listing
  }

  private static func reader(
    _ request: SweepRequest, _ describer: WorkerDescriber, cache: ResultStore
  ) -> CorpusReader {
    var limits = request.images.limits
    limits.light = request.light
    return CorpusReader(describer, limits: limits, cache: cache)
  }

  private static func read(
    _ found: FoundFiles, _ request: SweepRequest, by reader: CorpusReader,
    _ events: @escaping @Sendable (SweepEvent) -> Void
  ) throws -> CorpusListing {
    let drawn = try request.sample.map { size in
      try reader.draw(size, of: found, seed: request.seed) { events(.reading(done: $0, total: found.count)) }
    }
    let files = drawn?.files ?? found
    var listing = try reader.read(files, limit: request.images.limit, byName: request.images.limitsByName) {
      events(.reading(done: $0, total: files.count))
    }
    if let sample = drawn?.sample, sample.images < sample.population { listing.sample = sample }
    events(.stepEnded)
    if !listing.entries.isEmpty, !listing.passedOver.counts.isEmpty {
      events(.skipped(lines: listing.passedOver.lines, names: listing.passedOver.namesWithReasons))
    }
    return listing
  }

  /// Temporary encoded files for the pictures; nil if there are no pictures or too many pixels, or with `keptFiles`.
  private static func encodedFiles(
    _ plan: SweepPlan, _ request: SweepRequest, in files: OwnedFolder
  ) throws -> EncodedFiles? {
    guard request.page.images != 0, request.keptFiles == nil, EncodedFiles.areFew(pixels: plan.pixelCount)
    else {
      return nil
    }
    return EncodedFiles(folder: try files.makeScratch())
  }

  /// The folder if this program has written into it before, otherwise nil; throws if something is in the way.
  private static func resultsFolder(_ folder: String) throws -> OwnedFolder? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      return nil
    }
    let files = try ResultsFolder.open(folder)
    try ResultsFolder.refuseObstacles(in: files)
    return files.isNew ? nil : files
  }

  func run() throws -> SweepOutcome {
    defer {
      files.removeScratch()
      kept?.close()
    }
    let earlier = ReportStamp.holding(in: files)
    // Earlier reports are valid until the first record of this run.
    let sink = AnnouncedSink(kept ?? store) { [files] in ReportStamp.remove(from: files) }
    if request.timing != .none { sink.announce() }
    let run = try begin()
    var summary = try measure(run, into: sink)
    var stamp = try ReportStamp(
      manifest: manifest, images: plan.entries.map(\.identity), options: analysis,
      page: request.page.spelling, program: RunnerConfiguration.ownExecutable)
    let hasCurrent = earlier?.isOf(stamp) == true && earlier?.answer != nil
    // A run with current reports has already measured the settings, too.
    if !hasCurrent || !summary.changedNothing { try measureSettings(of: run, into: sink, &summary) }
    if let sandbox = summary.sandbox { try store.note(sandbox, of: run) }
    try store.note(settingsAsRun: summary.settingsAsRun, of: run)
    var timed = (points: 0, seconds: 0.0)
    if request.timing != .none, !summary.wasCancelled {
      let start = MonotonicClock.now()
      let timing = try time(run)
      timed = (timing.timed, Double(MonotonicClock.now() - start) / 1e9)
      (summary.wasCancelled, summary.ranOutOfTime) = (timing.wasCancelled, timing.ranOutOfTime)
    }
    if !summary.wasCancelled { try store.finish(run, at: Timestamp.now) }
    let stored = try ResultsInput.latestRun(of: store)
    let areCurrent = hasCurrent && summary.changedNothing && request.timing == .none
    if !areCurrent { sink.announce() }
    let written = try areCurrent ? nil : writeReports(stored, wasCancelled: summary.wasCancelled)
    let lacksPictures = written?.lacksPictures == true
    stamp.answer = written?.answer ?? earlier?.answer
    if !summary.wasCancelled, !lacksPictures {
      try stamp.leave(in: files, inPlaceOf: areCurrent ? earlier : nil)
    }
    summary.wasCancelled = summary.wasCancelled || lacksPictures
    return SweepOutcome(
      folder: store.folder, failures: try store.failures(of: run).map(FailedPoint.init), timed: timed,
      notKept: kept?.notKept ?? [], summary: summary, store: store, run: stored,
      options: analysis,
      written: written?.report, answer: stamp.answer, lacksPictures: lacksPictures,
      images: plan.entries.count)
  }

  /// Begins the run and reports what it replaces.
  private func begin() throws -> RunID {
    let run = try store.begin(manifest, images: plan.entries.map(\.identity))
    if let replacement = try store.replacement(by: run) { events(.notice(replacement.sentence)) }
    for notice in try store.notices(for: run) { events(.notice(notice.sentence)) }
    return run
  }

  private func measure(_ run: RunID, into sink: any RecordSink) throws -> SweepSummary {
    events(.detail { "\(plan.entries.count) images, \(plan.pointCount) points, \(configuration)" })
    defer { events(.stepEnded) }
    var watch: HeadlineWatch?
    let outlook = Mutex(SweepOutlook(plan, jobs: configuration.jobs, budget: request.budget))
    if plan.target == nil {
      watch = HeadlineWatch(
        sink, of: run, in: store, plan: plan, metrics: manifest.metrics,
        options: analysis)
      events(.planned(outlook.withLock { $0 }))
    }
    let sweep = SweepRunner(
      plan: plan, configuration: configuration, sink: watch ?? sink, finished: kept ?? store,
      drawing: drawing, end: end
    ) { [events, watch, isSearch = plan.target != nil] progress in
      if !isSearch, let estimated = outlook.withLock({ $0.firstEstimate(progress) }) {
        events(.planned(estimated))
      }
      if let news = watch?.news() { events(.headline(news)) }
      events(.measuring(progress))
    }
    cancellation.perform { sweep.cancel() }
    let summary = try sweep.run()
    if let target = plan.target {
      try files.write(try TargetTable(target, self, run: run).csv, to: ResultsFolder.targetsName)
    } else {
      // An earlier search's answers would match no other report.
      files.remove(ResultsFolder.targetsName)
    }
    events(.detail { [summary] in "\(summary)" })
    return summary
  }

  /// The most images to draw during measurement, as a multiple of those shown. Which images are shown is known only at
  /// the end, but drawing expensive ones then takes several times as long.
  private static let mostImagesDrawn = 4

  private var drawing: PointDrawing {
    guard encoded != nil, plan.target == nil else { return .nothing }
    let images = plan.entries.count
    guard let shown = request.page.images, shown < images else { return .all }
    return images <= Self.mostImagesDrawn * shown && EncodedFiles.areFew(drawnPixels: plan.pixelCount)
      ? .dear : .nothing
  }

  /// Writes the reports, without pictures if the run is interrupted before or while they are made (`lacksPictures`).
  private func writeReports(
    _ run: StoredRun, wasCancelled: Bool
  ) throws -> (report: RunReport, answer: ReportStamp.Answer?, lacksPictures: Bool) {
    let entry = { @Sendable [plan] name in plan.entries.first { $0.identity.name == name } }
    let notice = { @Sendable [events] text in events(.warning(text)) }
    let pictures = PictureSet(
      manifest: manifest, imports: try store.importHashes(of: manifest), entry: entry,
      configuration: configuration, encoded: encoded, page: request.page,
      progress: { [events] in events(.drawing(done: $0, total: $1)) },
      notice: notice)
    let readPictures = ReadPictureSet(
      entry: entry, configuration: configuration, page: request.page, notice: notice)
    // The results are already safe; only pictures are left out.
    cancellation.perform {
      pictures.cancel()
      readPictures.cancellation.cancel()
    }
    let isShown = !wasCancelled && request.page.images != 0
    var answer: ReportStamp.Answer?
    let source = RowSource(store, run: run, pictures: isShown ? readPictures : nil)
      .withBlindTests(in: store.folder, warning: notice)
    let report = try ReportWriter(folder: store.folder, options: analysis).write(
      source, title: request.page.title,
      pictures: { [events, request] report, files in
        // The answer must not wait for pictures.
        let given = ReportStamp.Answer(report, width: request.width)
        answer = given
        events(.answer(given.text))
        guard isShown else { return [] }
        defer { events(.stepEnded) }
        return try pictures.make(for: report.analysis, in: files)
      })
    return (report, answer, isShown && pictures.wasCancelled)
  }
}

enum Timestamp {
  /// The current time, ISO 8601 in UTC.
  static var now: String { Date.now.formatted(.iso8601) }
}
