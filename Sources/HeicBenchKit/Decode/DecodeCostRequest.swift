import CodecKit
import Codecs
import Metrics
package import Model
import Reports
import Store
import Workers

/// The cost of getting pixels out of files: whole, reduced or in part, by every route. Writes `decodes.csv`,
/// `decode.md` and `decode.json`, and keeps every read in the results folder's store.
public struct DecodeCostRequest: Request {
  /// The files to read.
  public var images: ImageSource
  /// The wanted sizes and parts, in any order.
  public var sizes: [WantedPixels] = [
    .side(160), .side(320), .side(1024), .all, .part(width: 512, height: 512),
  ]
  /// Codecs whose files of the same pictures are read as well; files of a build are read by that build.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, which read the files as they are and those of codecs such as `heic@new`.
  public var builds: [LibraryBuild] = []
  /// True if a build's reads are scored through its own decoder instead of the system's.
  package var scoresThroughBuilds = false
  /// The qualities of the files of `codecs`.
  public var qualities: [Quality] = [0.8]
  /// Identifiers of further metrics; SSIMULACRA2 and luma PSNR, by which routes are judged, are always scored.
  public var metrics: [String] = []
  /// Metrics that are programs.
  public var metricCommands: [MetricCommand] = []
  /// The SSIMULACRA2 score against the whole picture from which a route counts as honest.
  public var score = ReadQuestion.honestScore
  /// Bandwidth of the connection that files come over, Mbit/s; nil leaves the transfer out.
  public var bandwidth: Double?
  /// Number of timings of each decode.
  public var repeats = 3
  /// True if files are read one at a time, so that wall times hold too.
  public var isExclusive = false
  /// The earlier results in the folder that are kept.
  public var reuse = Reuse.all
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The page's contents besides charts and tables; `images` counts files of each kind.
  public var page = PageSettings()
  /// The folder of the results. Reads that it has are not repeated.
  public var output: String

  /// Creates a request to read files, with the results in a folder.
  public init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes the missing reads and writes the results.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try check()
      return try read(cancellation, events)
    }
  }

  private func check() throws {
    try HeicBenchError.require(!sizes.isEmpty, "there is no size to read")
    for size in sizes {
      switch size {
      case .all: break
      case .side(let side): try Limits.side.check(side)
      case .part(let width, let height): try [width, height].forEach(Limits.side.check)
      }
    }
    try Limits.repeats.check(repeats)
    try Limits.score.check(score)
    try Limits.bandwidth.check(bandwidth)
    try HeicBenchError.require(codecs.isEmpty || !qualities.isEmpty, "there is no quality to encode at")
    var columns = Set(DecodeColumns.all(furtherMetrics: []).map(\.name))
    for metric in try furtherMetrics() where !columns.insert(metric.column).inserted {
      throw HeicBenchError(
        .usage, "decodes.csv has a column “\(metric.column)” already; choose another name for the metric")
    }
    try HeicBenchError.requireFolder(output)
  }

  /// Traits of the metrics besides those of every read, in the order of their columns, by the names of their scores in
  /// the store: that of a program has a digest, so that scores of two programs are never confused.
  private func furtherMetrics() throws -> [MetricTraits] {
    let own = try MetricSuite(metrics).traits.filter { !Figures.readMetrics.contains($0.id) }
    return own
      + metricCommands.map { command in
        var traits = command.traits
        traits.id = storedName(of: command)
        return traits
      }
  }

  private func storedName(of command: MetricCommand) -> String {
    "\(command.name)@\(ProgramFile.digest(of: command.words))"
  }

  private func read(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> CostOutcome {
    var configuration = try workers.configuration(
      limits: images.limits, externalMetrics: metricCommands.map(\.metric))
    if isExclusive { configuration.jobs = 1 }
    configuration.scoresThroughBuild = scoresThroughBuilds
    let entries = try images.entries(to: "read")
    let spellings = codecs.filter { $0.build != nil }.map(\.name)
    for spelling in spellings { try TriedBuilds.check(spelling, among: builds) }
    let tried = try TriedBuilds(
      builds, spellings: spellings, system: .standard, program: configuration.workerExecutable)
    configuration.builds = tried.builds
    let files = try OutputFolder.results(at: output, refusing: DecodeReport.files.refuseObstacles)
    let plan = try plan(entries, tried)
    let store = try ResultStore(folder: output, options: .init(reuse))
    // Before the reads, which belong to no list if the run is killed and the list comes after them.
    try noteList(plan, store, events)
    let measured = try read(plan, configuration, into: store, cancellation, events)
    try store.note(
      ReadQuestion(
        score: score, bandwidth: bandwidth, roots: images.rootNames, metrics: try furtherMetrics()))
    // Reads of earlier calls count as well.
    let records = try store.reads()
    let report = DecodeReport(records, try store.readQuestion())
    var outcome = CostOutcome(output, report.sentences, measured, records)
    outcome.text = terminalText(of: report)
    // An interrupted run gets no pictures.
    let isShown = page.images != 0 && !outcome.wasInterrupted
    let pictures = pictures(of: records, entries, configuration, events)
    cancellation.perform { pictures.cancellation.cancel() }
    defer { cancellation.release() }
    try report.feature(with: isShown ? pictures : nil)
      .write(to: files, title: page.title, version: HeicBench.version)
    // A sweep's reports in the same folder show reads too and are not remade here.
    if measured.known < measured.total, try store.latestRun() != nil {
      ReportStamp.remove(from: files)
      let command = "heicbench report \(ShellWord.quoted(output))"
      events(.notice("“\(command)” puts this into report.html and summary.md too"))
    }
    return outcome
  }

  private func pictures(
    of records: [CaseRecord], _ entries: [CorpusEntry], _ configuration: RunnerConfiguration,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) -> ReadPictureSet {
    let found = Dictionary(entries.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    let read = Dictionary(
      records.map { ($0.key.image.name, $0.key.image) }, uniquingKeysWith: { _, last in last })
    return ReadPictureSet(
      entry: { name in read[name].flatMap { found[$0] } }, configuration: configuration, page: page,
      notice: { events(.notice($0)) })
  }

  private func plan(_ entries: [CorpusEntry], _ builds: TriedBuilds) throws -> ReadPlan {
    let builder = PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: scoresThroughBuilds)
    let variants = try builder.describe(codecs)
    var plan = ReadPlan(
      entries: entries, builds: builds.builds.map(\.name), preparation: builder.preparation(for: variants),
      sizes: sizes, repeats: repeats)
    plan.encodings = variants.flatMap { variant in
      QualityList(qualities).qualities.map { ReadEncoding(variant: variant.variant, quality: $0) }
    }
    plan.metrics += metrics.filter { !plan.metrics.contains($0) }
    plan.libraries = ReadPlan.libraries(
      of: Set(entries.compactMap(\.header?.format)), variants, builds,
      scoresThroughBuilds: scoresThroughBuilds)
    try plan.refuseIdleBuilds()
    return plan
  }

  /// Makes the reads that the store lacks.
  private func read(
    _ plan: ReadPlan, _ configuration: RunnerConfiguration, into store: ResultStore,
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> MeasuredCases {
    let further = try furtherMetrics()
    let finished = try store.finished(
      .read, preparation: plan.preparation.canonicalSpelling, alone: isExclusive,
      isEnough: further.isEmpty ? nil : { $0.hasScores(of: further, despiteFailures: reuse == .all) })
    let jobs = plan.jobs
    let missing = jobs.reduce(0) { $0 + $1.cases.count { !finished.contains($0) } }
    events(.notice(outlook(plan, missing: missing)))
    let names = Dictionary(
      metricCommands.map { ($0.name, storedName(of: $0)) }, uniquingKeysWith: { $1 })
    let pool = WorkerPool(
      configuration, preparation: plan.preparation,
      metrics: plan.metrics + configuration.externalMetrics.map(\.id))
    return try store.measure(
      ("reads", "reads them"), jobs, by: pool, isKnown: finished.contains, cancellation, events
    ) { turn in
      try plan.read(&turn, configuration, renaming: names) { try knownEncode($0, store) }
    }
  }

  /// The score of an encode that a sweep has measured, which holds for the same bytes.
  private func knownEncode(_ read: Case, _ store: ResultStore) throws -> RouteQuestion.KnownEncode? {
    guard reuse != .nothing else { return nil }
    var point = read
    point.way = .point
    let known = try store.points(of: read.image, preparation: read.preparation)[point]
    guard let known, let score = known.scores[MetricTraits.headline.id] else { return nil }
    return .init(hash: known.encodedHash, score: score)
  }

  /// A summary such as `6 images, 37.5 megapixels, as they are and as 4 codecs write them at 0.8: 210 reads`.
  private func outlook(_ plan: ReadPlan, missing: Int) -> String {
    // Files refused for what their header claims are not read.
    let pixels = plan.entries.filter { $0.problem == nil }.compactMap(\.header?.pixelCount).reduce(0, +)
    let variants = Set(plan.encodings.map(\.variant)).count
    let qualities = Set(plan.encodings.map(\.quality)).sorted().map(\.description).joined(separator: ", ")
    let encoded =
      variants > 0
      ? ", as they are and as \(Numerals.counted(variants, "codec")) write them at \(qualities)" : ""
    return "\(Numerals.counted(plan.entries.count, "image")), \(Numerals.megapixels(pixels)) megapixels"
      + "\(encoded): \(Numerals.counted(missing, "read")), not all of which every file allows; "
      + "Ctrl-C keeps what is read"
  }

  /// Records the pictures of this run, and reports those that are gone.
  private func noteList(
    _ plan: ReadPlan, _ store: ResultStore, _ events: (JobEvent) -> Void
  ) throws {
    let roots = images.rootNames + (images.shard.map { ["shard \($0)"] } ?? [])
    let gone = try store.note(
      readsOf: Set(plan.entries.map(\.identity.name)), roots: roots.joined(separator: "\n"))
    for name in gone.prefix(5) {
      events(.notice("“\(name)” was in an earlier run and is not in this one; it is left out."))
    }
    if gone.count > 5 { events(.notice("… and \(gone.count - 5) more")) }
  }

  private func terminalText(of report: DecodeReport) -> String {
    let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
    let page = "Pictures, charts and all routes: \(folder)/\(DecodeReport.files.page ?? "")"
    return [report.terminalText, page].filter { !$0.isEmpty }.joined(separator: "\n\n")
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
}
