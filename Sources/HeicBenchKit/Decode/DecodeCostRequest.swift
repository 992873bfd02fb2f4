import CodecKit
import Codecs
import Foundation
import Metrics
package import Model
import Reports
import Store
import Workers

/// Measures the cost of decoding files: whole, reduced or in part, by every route. Writes `decodes.csv`, `decode.md`
/// and `decode.json`, and keeps every read in the results folder's store.
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
  /// Identifiers of further metrics; SSIMULACRA2 and luma PSNR, which judge the routes, are always scored.
  public var metrics: [String] = []
  /// Metrics that are programs.
  public var metricCommands: [MetricCommand] = []
  /// The SSIMULACRA2 score against the whole picture from which a route is good enough.
  public var score = ReadScope.honestScore
  /// Bandwidth of the connection that delivers the files, Mbit/s; nil to leave out the transfer.
  public var bandwidth: Double?
  /// HDR originals of files with a gain map: a PNG file, or a folder of PNG files with the same names.
  package var hdrOriginals: InputPath?
  /// Number of timings of each decode.
  public var repeats = 3
  /// True to read files one at a time, so that wall times are valid too.
  public var isExclusive = false
  /// The earlier results in the folder to keep.
  public var reuse = Reuse.all
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The page's contents besides charts and tables; `images` is the number of files of each kind.
  public var page = PageSettings()
  /// The results folder. Reads that it already has are not repeated.
  public var output: String

  /// Creates a request to read files, with the results in a folder.
  public init(images: ImageSource, output: String = "results") {
    (self.images, self.output) = (images, output)
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
    try HeicBenchError.require(!sizes.isEmpty, "give at least one size")
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
    try HeicBenchError.require(codecs.isEmpty || !qualities.isEmpty, "give at least one quality")
    var columns = Set(DecodeColumns.all(furtherMetrics: []).map(\.name))
    for metric in try furtherMetrics() where !columns.insert(metric.column).inserted {
      throw HeicBenchError(
        .usage, "decodes.csv already has a column “\(metric.column)”; choose another name for the metric")
    }
    try HeicBenchError.requireFolder(output)
  }

  /// Traits of the metrics besides those of every read, in column order, with the names of their scores in the store. A
  /// program's name includes a digest, so that scores of two programs are never confused.
  private func furtherMetrics() throws -> [MetricTraits] {
    let own = try MetricSuite(sdr: metrics).traits.filter { !Figures.readMetrics.contains($0.id) }
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
    let listing = try images.listing(to: "read", by: WorkerDescriber(configuration)) { events(.notice($0)) }
    let entries = listing.entries
    let spellings = codecs.filter { $0.build != nil }.map(\.name)
    for spelling in spellings { try TriedBuilds.check(spelling, among: builds) }
    let tried = try TriedBuilds(
      builds, spellings: spellings, system: .standard, program: configuration.workerExecutable)
    configuration.builds = tried.builds
    let files = try OutputFolder.results(at: output, refusing: DecodeReport.files.refuseObstacles)
    let sources = try ReadSources(
      entries, codecs: codecs, qualities: qualities, tried, scoresThroughBuilds: scoresThroughBuilds)
    let store = try ResultStore(folder: output, options: .init(reuse))
    // Before the reads: if the run is killed, reads must not be left without a list.
    try store.note(entries, of: .reads, from: images) { events(.notice($0)) }
    _ = try configuration.identicalScores(cancellation) { events(.notice($0)) }
    let measured = try measure(sources, configuration, into: store, cancellation, events)
    configuration.tellRemarks { events(.notice($0)) }
    try store.note(
      ReadScope(
        score: score, bandwidth: bandwidth, roots: images.rootNames, metrics: try furtherMetrics()))
    // Reads of earlier calls count as well. The outcome must not keep the store, and with it the folder's lock.
    let records = try store.reads()
    let report = try DecodeReport(records, store.readScope(), processors: store.readProcessors())
    let outcome = CostOutcome(output, report.feature(), measured, records)
    let pictures = pictures(of: records, entries, configuration, events)
    cancellation.perform { pictures.cancellation.cancel() }
    defer { cancellation.release() }
    // An interrupted run gets no pictures.
    let feature = report.feature(with: page.images == 0 || outcome.wasInterrupted ? nil : pictures)
    try store.note(listing.passedOver.skipped, for: feature.anchor)
    try feature.withSkipped(of: store).write(to: files, title: page.title, version: HeicBench.version)
    // A sweep's reports in the same folder also show reads, but this command does not update them.
    if measured.known < measured.total, try store.latestRun() != nil {
      ReportStamp.remove(from: files)
      let command = "heicbench report \(ShellWord.quoted(output))"
      events(.notice("“\(command)” adds this to report.html and summary.md"))
    }
    return outcome
  }

  private func pictures(
    of records: [CaseRecord], _ entries: [CorpusEntry], _ configuration: RunnerConfiguration,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) -> ReadPictureSet {
    let found = Dictionary(entries.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    let read = Dictionary(records.map { ($0.key.image.name, $0.key.image) }, uniquingKeysWith: { $1 })
    return ReadPictureSet(
      entry: { name in read[name].flatMap { found[$0] } }, configuration: configuration, page: page,
      notice: { events(.notice($0)) })
  }

  /// Every route with every wanted size that it supports, for each file and each encoding of it; reads by the same
  /// route are adjacent.
  func jobs(_ sources: ReadSources) -> [CaseJob] {
    let whole = sizes.filter { if case .part = $0 { false } else { true } }
    let (sides, parts) = (whole.filter { $0 != .all }, sizes.filter { !whole.contains($0) })
    let routes: [(route: ReadRoute, sizes: [WantedPixels])] = [
      (.full, whole), (.ycbcr, [.all]), (.scaled, sides), (.thumbnail, sides), (.region, parts),
      (.firstTile, [.all]),
    ]
    return sources.all.map { entry, source in
      CaseJob(
        entry: entry,
        cases: routes.flatMap { route, sizes in
          sizes.map { wanted in
            var key = source
            key.way = .read(route, wanted)
            return key
          }
        } + gainMapRead(source))
    }
  }

  /// The read with the gain map, for a file that may have one, by the system's libraries.
  private func gainMapRead(_ source: Case) -> [Case] {
    guard source.encodedAt == nil, source.build == nil,
      GainMapFile.formats.contains(source.variant.codec)
    else { return [] }
    var key = source
    key.way = .read(.gainMap, .all)
    return [key]
  }

  private func measure(
    _ sources: ReadSources, _ configuration: RunnerConfiguration, into store: ResultStore,
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> MeasuredCases {
    let further = try furtherMetrics()
    let finished = try store.finished(
      .read, preparation: sources.preparation.canonicalSpelling, alone: isExclusive,
      isEnough: { record in
        if let figures = record.figures, figures.timing.decode.count < repeats { return false }
        if record.key.route == .gainMap { return hdrOriginals == nil || record.figures?.gainMap == nil }
        return further.isEmpty || record.hasScores(of: further, despiteFailures: reuse == .all)
      })
    let jobs = jobs(sources)
    let missing = jobs.reduce(0) { $0 + $1.cases.count { !finished.contains($0) } }
    events(
      .notice(
        "\(sources): \(Numerals.counted(missing, "read")), although not every file supports all of them; "
          + "Ctrl-C keeps finished reads"))
    let own = Figures.readMetrics + metrics.filter { !Figures.readMetrics.contains($0) }
    let pool = WorkerPool(
      configuration, preparation: sources.preparation, metrics: own + configuration.externalMetrics.map(\.id))
    // Digests a command's files now, because they may change during the reads.
    let names = metricCommands.map { (own: $0.name, stored: storedName(of: $0)) }
    return try pool.measuring(("reads", "reads them"), cancellation, events) { progress in
      try pool.measure(
        jobs, pixels: \.pixels, isKnown: finished.contains, keep: { try store.append($0) }, progress: progress
      ) { try read(&$0, names, configuration, store) }
    }
  }

  private func read(
    _ turn: inout CaseTurn, _ names: [(own: String, stored: String)], _ configuration: RunnerConfiguration,
    _ store: ResultStore
  ) throws {
    let (entry, cases) = (turn.job.entry, turn.job.cases)
    // Counts all pixels for each decode: the first, the one for peak memory, and the timed ones.
    let seconds = configuration.timeout(pixels: entry.pixels * (repeats + 4), repeats: 1)
    let jobs = turn.isLast ? 1 : configuration.jobs
    let known = try cases.first.flatMap { try knownEncode($0, store) }
    for key in cases {
      var question = RouteQuestion(
        path: entry.file.path, key: key, repeats: repeats, known: known, commandSeconds: seconds)
      if key.route == .gainMap { question.hdrOriginal = hdrOriginal(of: key.image.name) }
      let outcome =
        try entry.problem.flatMap { isMapOfHDR(key, entry) ? nil : .failed($0) }
        ?? turn.slot.read(question, of: entry.file, within: seconds).outcome
      guard let outcome else { return }
      let named = outcome.map { figures in
        var figures = figures
        figures.timing.conditions = jobs == 1 ? .single : .contended
        for name in names {
          figures.scores[name.stored] = figures.scores.removeValue(forKey: name.own)
          figures.failedScores[name.stored] = figures.failedScores.removeValue(forKey: name.own)
        }
        return figures
      }
      try turn.keep(CaseRecord(key: key, outcome: named))
    }
  }

  /// True for a read of a picture that is itself HDR, which all other routes refuse, with a map that makes it darker.
  private func isMapOfHDR(_ key: Case, _ entry: CorpusEntry) -> Bool {
    key.route == .gainMap && entry.header?.hdr != nil && entry.problem?.kind == .source
  }

  /// The path of a file's HDR original, found by its name without the extension.
  private func hdrOriginal(of name: String) -> Data? {
    guard let hdrOriginals else { return nil }
    let path = hdrOriginals.bytes
    guard (try? FileSystem.status(of: path).kind) == .folder else { return Data(path) }
    let file = name.split(separator: "/").last.map(String.init) ?? name
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file[...]
    return Data(path + Array("/\(stem).png".utf8))
  }

  /// The score of an encode that a sweep has measured; it is valid for the same bytes.
  private func knownEncode(_ read: Case, _ store: ResultStore) throws -> RouteQuestion.KnownEncode? {
    guard reuse != .nothing, read.encodedAt != nil else { return nil }
    var point = read
    point.way = .point
    let known = try store.points(of: read.image, preparation: read.preparation)[point]?.figures
    guard let known, let score = known.scores[MetricTraits.headline.id] else { return nil }
    return .init(hash: known.encodedHash, score: score)
  }
}

/// The files to read: unchanged, by the system's libraries and by builds that differ from them, and as codecs encode
/// them.
struct ReadSources: CustomStringConvertible {
  let preparation: Preparation
  /// Each source with its file, as the case of its full decode.
  private(set) var all: [(entry: CorpusEntry, source: Case)] = []
  private let entries: [CorpusEntry]
  private let encodings: [ReadEncoding]

  /// Throws for a build that would read nothing and otherwise be ignored silently.
  init(
    _ entries: [CorpusEntry], codecs: [CodecVariant], qualities: [Quality], _ builds: TriedBuilds,
    scoresThroughBuilds: Bool
  ) throws {
    let builder = PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: scoresThroughBuilds)
    let variants = try builder.describe(codecs)
    try Self.checkReaders(of: variants)
    preparation = builder.preparation(for: variants)
    self.entries = entries
    encodings = variants.flatMap { variant in
      QualityList(qualities).qualities.map { ReadEncoding(variant: variant.variant, quality: $0) }
    }
    let libraries = Self.libraries(
      of: Set(entries.compactMap(\.header?.format)), variants, builds,
      scoresThroughBuilds: scoresThroughBuilds)
    let readers = [nil] + builds.builds.map(\.name)
    for entry in entries {
      func add(_ encoding: ReadEncoding?, _ format: String, _ build: String?) {
        let spelling = libraries[CodecVariant(codec: format, build: build)]
        guard encoding != nil || build == nil || spelling != nil else { return }
        let key = Case(
          image: entry.identity, encoding: encoding, format: format,
          preparation: preparation.canonicalSpelling, route: .full, wanted: .all, libraries: spelling ?? "",
          build: build)
        all.append((entry, key))
      }
      for build in readers { add(nil, entry.header?.format ?? "", build) }
      for encoding in encodings { add(encoding, encoding.variant.codec, encoding.variant.build) }
    }
    let reading = Set(libraries.keys.map(\.build))
    if let build = builds.builds.map(\.name).first(where: { !reading.contains($0) }) {
      throw HeicBenchError(
        .usage,
        "build “\(build)” has no library that reads these files; use it for a codec, such as "
          + "--codec heic@\(build)")
    }
  }

  /// The libraries that read each format, in canonical spelling, by codec without settings. Unchanged files are read by
  /// the system's libraries and by builds that differ from them; codecs' files are read by the libraries of their
  /// variants.
  private static func libraries(
    of formats: Set<String>, _ variants: [VariantDescription], _ builds: TriedBuilds,
    scoresThroughBuilds: Bool
  ) -> [CodecVariant: String] {
    var libraries: [CodecVariant: String] = [:]
    for format in formats {
      let system = CodecRegistry.standard.libraries(of: format)
      libraries[CodecVariant(codec: format)] = system.canonicalSpelling
      for build in builds.builds {
        let variant = CodecVariant(codec: format, build: build.name)
        guard let traits = builds.traits(of: variant), traits.absence == nil, traits.libraries != system,
          traits.libraries.readFiles
        else { continue }
        let description = VariantDescription(
          variant: variant, libraries: traits.libraries, threads: 1,
          decoder: scoresThroughBuilds ? nil : system)
        libraries[variant] = description.librariesInKey
      }
    }
    for description in variants {
      let (codec, build) = (description.variant.codec, description.variant.build)
      libraries[CodecVariant(codec: codec, build: build)] = description.librariesInKey
    }
    return libraries
  }

  /// Throws for a codec whose files would be read with other libraries than those named beside them.
  static func checkReaders(of variants: [VariantDescription]) throws(HeicBenchError) {
    guard let variant = variants.first(where: { !$0.libraries.readFiles })?.variant else { return }
    throw HeicBenchError(
      .usage,
      "\(variant.name): files are read through libheif, not libavif; a sweep measures libavif's decoder")
  }

  /// A summary such as `6 images, 37.5 megapixels, as they are and as 4 codecs write them at 0.8`.
  var description: String {
    // Files refused because of their header are not read.
    let pixels = entries.filter { $0.problem == nil }.compactMap(\.header?.pixelCount).reduce(0, +)
    let variants = Set(encodings.map(\.variant)).count
    let qualities = Set(encodings.map(\.quality)).sorted().map(\.description).joined(separator: ", ")
    let encoded =
      variants > 0
      ? ", as they are and as \(Numerals.counted(variants, "codec")) \(variants == 1 ? "writes" : "write") them at \(qualities)"
      : ""
    return "\(Numerals.counted(entries.count, "image")), \(Numerals.megapixels(pixels)) megapixels\(encoded)"
  }
}

extension [LibraryVersion] {
  /// False for libavif, which only encodes and decodes points: `HEIFReader` reads every AVIF file through libheif.
  var readFiles: Bool { !contains { $0.name == "libavif" } }
}

extension CaseRecord {
  /// True if a read has a score, or a reason for its absence, from each of these metrics. A read that could not be
  /// scored at all lacks even PSNR.
  fileprivate func hasScores(of metrics: [MetricTraits], despiteFailures: Bool) -> Bool {
    guard let figures, figures.scores["psnr-y"] != nil else { return true }
    let side = min(figures[.deliveredWidth], figures[.deliveredHeight])
    return metrics.allSatisfy { metric in
      figures.scores[metric.id] != nil || side < metric.minimumSide
        || despiteFailures && figures.failedScores[metric.id] != nil
    }
  }
}
