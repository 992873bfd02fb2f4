import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Synchronization
import Workers

struct DecodeCostRun {
  let request: DecodeCostRequest
  let cancellation: Cancellation
  let events: @Sendable (JobEvent) -> Void

  func run() throws -> CostOutcome {
    var configuration = try request.workers.configuration(
      limits: request.images.limits, externalMetrics: request.metricCommands.map(\.metric))
    if request.isExclusive { configuration.jobs = 1 }
    configuration.scoresThroughBuild = request.scoresThroughBuilds
    let entries = try request.images.entries(to: "read")
    let builds = try triedBuilds(configuration.workerExecutable)
    configuration.builds = builds.builds
    let files = try OutputFolder.results(at: request.output, refusing: DecodeReport.files.refuseObstacles)
    let plan = try plan(entries, builds)
    let store = try ResultStore(folder: request.output, options: .init(request.reuse))
    let known = try read(plan, configuration, into: store)
    let roots = request.images.rootNames
    let question = ReadQuestion(
      score: request.score, bandwidth: request.bandwidth, roots: roots,
      metrics: try request.furtherMetrics())
    try store.note(question)
    try noteList(plan, roots, store)
    // Reads of earlier calls count as well.
    let records = try store.reads()
    let report = DecodeReport(records, question)
    let outcome = CostOutcome(
      request.output, report.summary.sentences, text: terminalText(of: report), known: known, keys: plan.keys,
      picture: \.image, outcomes: records.map { ($0.key, $0.outcome) })
    let pictures = pictures(of: records.map(\.key.image), entries, configuration)
    try write(report, files, pictures, isCutShort: outcome.wasInterrupted)
    // A sweep's reports in the same folder show reads too and are not remade here.
    if known < plan.keys.count, try store.latestRun() != nil {
      ReportStamp.remove(from: files)
      let command = "heicbench report \(ShellWord.quoted(request.output))"
      events(.notice("“\(command)” puts this into report.html and summary.md too"))
    }
    return outcome
  }

  /// Tries the builds; throws `CodecError` or `BuildError` for those that cannot be used.
  private func triedBuilds(_ program: String) throws -> TriedBuilds {
    let spellings = request.codecs.filter { $0.build != nil }.map(\.name)
    for spelling in spellings { try TriedBuilds.check(spelling, among: request.builds) }
    return try TriedBuilds(request.builds, spellings: spellings, system: .standard, program: program)
  }

  private func plan(_ entries: [CorpusEntry], _ builds: TriedBuilds) throws -> ReadPlan {
    let builder = PlanBuilder(
      registry: .standard, builds: builds, scoresThroughBuild: request.scoresThroughBuilds)
    let codecs = request.codecs.isEmpty ? [CodecVariant(codec: "jpeg")] : request.codecs
    let qualities = QualityList(request.qualities)
    let sweep = builder.plan(
      entries: entries, variants: try builder.describe(codecs), qualities: qualities, metrics: [])
    let variants = request.codecs.isEmpty ? [] : sweep.variants
    var plan = ReadPlan(
      entries: entries, builds: builds.builds.map(\.name), preparation: sweep.preparation,
      sizes: request.sizes, repeats: request.repeats)
    plan.encodings = variants.flatMap { variant in
      qualities.qualities.map { ReadEncoding(variant: variant.variant, quality: $0) }
    }
    plan.metrics += request.metrics.filter { !plan.metrics.contains($0) }
    plan.libraries = ReadPlan.libraries(
      of: Set(entries.compactMap(\.header?.format)), variants, builds,
      scoresThroughBuilds: request.scoresThroughBuilds)
    try plan.refuseIdleBuilds()
    return plan
  }

  /// Records the pictures of this run, and reports those that are gone.
  private func noteList(_ plan: ReadPlan, _ roots: [String], _ store: ResultStore) throws {
    let shard = request.images.shard.map { ["shard \($0)"] } ?? []
    let gone = try store.note(
      readsOf: Set(plan.keys.map(\.image.name)), roots: (roots + shard).joined(separator: "\n"))
    for name in gone.prefix(5) {
      events(.notice("“\(name)” was in an earlier run and is not in this one; it is left out."))
    }
    if gone.count > 5 { events(.notice("… and \(gone.count - 5) more")) }
  }

  /// Makes the reads that the store lacks. Returns how many it had.
  private func read(
    _ plan: ReadPlan, _ configuration: RunnerConfiguration, into store: ResultStore
  ) throws -> Int {
    let further = try request.furtherMetrics()
    let retries = request.reuse != .all
    let finished = try store.finished(
      .read, preparation: plan.preparation.canonicalSpelling, alone: request.isExclusive,
      isEnough: further.isEmpty ? nil : { $0.hasScores(of: further, despiteFailures: !retries) })
    var runner = ReadRunner(plan, configuration)
    // The score of an encode that a sweep has measured holds for the same bytes.
    if request.reuse != .nothing {
      runner.known = { read in
        var point = read
        point.way = .point
        let known = try store.points(of: read.image, preparation: read.preparation)[point]
        guard let known, let score = known.scores[MetricTraits.headline.id] else { return nil }
        return .init(hash: known.encodedHash, score: score)
      }
    }
    let done = Atomic(0)
    let keys = plan.keys
    let total = keys.count { !finished.contains($0) }
    events(.notice(outlook(plan, missing: total)))
    cancellation.perform { [pool = runner.pool] in pool.cancel() }
    defer { cancellation.release() }
    let names = Dictionary(
      request.metricCommands.map { ($0.name, request.storedName(of: $0)) }, uniquingKeysWith: { $1 })
    try runner.run(isFinished: finished.contains) { [events] record in
      try store.append(record.renamingScores(names))
      events(.progress(done: done.add(1, ordering: .relaxed).newValue, total: total))
    }
    events(.ended)
    let known = keys.count - total
    if known > 0 {
      events(.notice("\(known) of \(keys.count) reads were there already; --fresh reads them again"))
    }
    return known
  }

  private func terminalText(of report: DecodeReport) -> String {
    let folder = request.output.hasSuffix("/") ? String(request.output.dropLast()) : request.output
    let page = "Pictures, charts and all routes: \(folder)/\(DecodeReport.files.page ?? "")"
    return [report.summary.terminalText, page].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
  }

  /// A summary such as `6 images, 37.5 megapixels, as they are and as 4 codecs write them at 0.8: 210 reads`.
  private func outlook(_ plan: ReadPlan, missing: Int) -> String {
    // Files refused for what their header claims are not read.
    let headers = plan.entries.filter { $0.problem == nil }.compactMap(\.header)
    let megapixels = headers.reduce(0.0) { $0 + Double($1.pixelCount) } / 1e6
    let variants = Set(plan.encodings.map(\.variant)).count
    let qualities = Set(plan.encodings.map(\.quality)).sorted().map(\.description).joined(separator: ", ")
    let encoded =
      variants > 0
      ? ", as they are and as \(Numerals.counted(variants, "codec")) write them at \(qualities)" : ""
    return "\(Numerals.counted(plan.entries.count, "image")), "
      + "\(Numerals.grouped(megapixels, decimals: megapixels < 0.1 ? 3 : 1)) megapixels\(encoded): "
      + "\(Numerals.counted(missing, "read")), of which some files have no way; Ctrl-C keeps what is read"
  }

  /// Writes the reports; an interrupted run gets no pictures.
  private func write(
    _ report: DecodeReport, _ files: OwnedFolder, _ pictures: ReadPictureSet, isCutShort: Bool
  ) throws {
    cancellation.perform { pictures.cancel() }
    defer { cancellation.release() }
    let isShown = request.page.images != 0 && !isCutShort
    try report.feature(with: isShown ? pictures : nil)
      .write(to: files, title: request.page.title, version: HeicBench.version)
  }

  private func pictures(
    of images: [ImageIdentity], _ entries: [CorpusEntry], _ configuration: RunnerConfiguration
  ) -> ReadPictureSet {
    let found = Dictionary(entries.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    let read = Dictionary(images.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    return ReadPictureSet(
      entry: { name in read[name].flatMap { found[$0] } }, configuration: configuration,
      page: request.page, notice: { [events] in events(.notice($0)) })
  }
}

extension CaseRecord {
  /// True if a read has a score, or a reason for none, of each of these metrics. One that could not be scored at all lacks
  /// even PSNR.
  fileprivate func hasScores(of metrics: [MetricTraits], despiteFailures: Bool) -> Bool {
    guard let figures, figures.scores["psnr-y"] != nil else { return true }
    let side = min(figures[.deliveredWidth], figures[.deliveredHeight])
    return metrics.allSatisfy { metric in
      figures.scores[metric.id] != nil || side < metric.minimumSide
        || despiteFailures && figures.failedScores[metric.id] != nil
    }
  }

  /// The same with the scores of programs under the names that the store has for them.
  fileprivate func renamingScores(_ names: [String: String]) -> CaseRecord {
    guard !names.isEmpty, case .measured(var figures) = outcome else { return self }
    for (name, stored) in names {
      figures.scores[stored] = figures.scores.removeValue(forKey: name)
      figures.failedScores[stored] = figures.failedScores.removeValue(forKey: name)
    }
    var record = self
    record.outcome = .measured(figures)
    return record
  }
}
