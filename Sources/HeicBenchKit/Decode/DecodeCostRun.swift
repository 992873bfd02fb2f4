import Analysis
import CodecKit
import Codecs
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
    var configuration = try configuration()
    let entries = try request.images.entries(to: "read")
    let builds = try ReadBuilds(request, program: configuration.workerExecutable)
    configuration.builds = builds.tried.builds
    let files = try OutputFolder.results(at: request.output, refusing: DecodeReport.files.refuseObstacles)
    let plan = try plan(entries, builds)
    let store = try ResultStore(folder: request.output, options: .init(request.reuse))
    let known = try read(plan, configuration, into: store)
    let roots = request.images.rootNames(of: try request.images.sources())
    let question = ReadQuestion(score: request.score, bandwidth: request.bandwidth, roots: roots)
    try store.note(question)
    try noteList(plan, roots, store)
    // Reads of earlier calls count as well.
    let records = try store.reads()
    let report = DecodeReport(records, question)
    let outcome = CostOutcome(
      request.output, report.summary.sentences, text: terminalText(of: report), known: known, keys: plan.keys,
      picture: \.image,
      outcomes: records.map { ($0.key, $0.outcome) })
    let pictures = pictures(of: records.map(\.key.image), entries, configuration)
    try write(report, files, pictures, isCutShort: outcome.wasInterrupted)
    try announce(known: known, plan, files, store)
    return outcome
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
    let preparation = plan.preparation.canonicalSpelling
    let finished = try store.finished(.read, preparation: preparation, alone: request.isExclusive)
    let runner = ReadRunner(plan, configuration)
    let done = Atomic(0)
    let total = plan.keys.count { !finished.contains($0) }
    events(.notice(outlook(plan, missing: total)))
    cancellation.perform { runner.cancel() }
    defer { cancellation.release() }
    try runner.run(isFinished: finished.contains) { [events] record in
      try store.append(record)
      events(.progress(done: done.add(1, ordering: .relaxed).newValue, total: total))
    }
    events(.ended)
    let known = plan.count - total
    if known > 0 {
      events(.notice("\(known) of \(plan.count) reads were there already; --fresh reads them again"))
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
    try files.tidy()
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

  /// Invalidates a sweep's reports in the same folder, which show reads too and are not remade here.
  private func announce(known: Int, _ plan: ReadPlan, _ files: OwnedFolder, _ store: ResultStore) throws {
    guard known < plan.count, try store.latestRun() != nil else { return }
    ReportStamp.remove(from: files)
    events(
      .notice(
        "“heicbench report \(ShellWord.quoted(request.output))” puts this into report.html and summary.md too"
      ))
  }

  private func configuration() throws -> RunnerConfiguration {
    var configuration = try request.workers.configuration(limits: request.images.limits)
    if request.isExclusive { configuration.jobs = 1 }
    configuration.scoresThroughBuild = request.scoresThroughBuilds
    return configuration
  }

  private func plan(_ entries: [CorpusEntry], _ builds: ReadBuilds) throws -> ReadPlan {
    let builder = PlanBuilder(
      registry: .standard, builds: builds.tried, scoresThroughBuild: request.scoresThroughBuilds)
    let qualities = QualityList(request.qualities)
    let codecs = request.codecs.isEmpty ? [CodecVariant(codec: "jpeg")] : request.codecs
    let sweep = builder.plan(
      entries: entries, variants: try builder.describe(codecs), qualities: qualities, metrics: [],
      repeats: request.repeats,
      background: [255, 255, 255], downscale: 1, shard: nil)
    let variants = request.codecs.isEmpty ? [] : sweep.variants
    let encodings = variants.flatMap { variant in
      qualities.qualities.map { ReadEncoding(variant: variant.variant, quality: $0) }
    }
    let plan = ReadPlan(
      entries: entries, encodings: encodings, builds: builds.tried.builds.map(\.name),
      preparation: sweep.preparation, sizes: request.wanted,
      region: request.region.map { .part(width: $0.width, height: $0.height) }, repeats: request.repeats,
      libraries: builds.libraries(of: Set(entries.compactMap(\.header?.format)), variants))
    try builds.refuseIdle(plan)
    return plan
  }
}
