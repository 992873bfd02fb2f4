import CodecKit
import Codecs
import Model
import Workers

/// The reads to do: files as found, codecs' encodings of them, and routes.
struct ReadPlan: Sendable {
  /// A file as found, or its encoding by a codec, and the build that reads it.
  struct Source {
    var encoding: ReadEncoding?
    var build: String?
  }

  var entries: [CorpusEntry]
  /// Empty to read only the files. A build reads its own encodings.
  var encodings: [ReadEncoding] = []
  /// Builds that read files as found, in addition to the system's libraries.
  var builds: [String] = []
  var preparation: Preparation
  var sizes: [WantedPixels]
  var repeats: Int
  var metrics: [String] = Figures.readMetrics
  /// The libraries that read each format, in canonical spelling, by codecs without settings. A build reads the formats
  /// with an entry here.
  var libraries: [CodecVariant: String] = [:]

  /// A job for each file and for each encoding of it.
  var jobs: [CaseJob] {
    entries.flatMap { entry in
      sources(of: entry).map { CaseJob(entry: entry, cases: keys(of: entry, $0)) }
    }
  }

  /// Every route with every size that it supports; those of one route are adjacent.
  private var routes: [(route: ReadRoute, wanted: WantedPixels)] {
    let whole = sizes.filter { if case .part = $0 { false } else { true } }
    let (sides, parts) = (whole.filter { $0 != .all }, sizes.filter { !whole.contains($0) })
    return whole.map { (.full, $0) } + [(.ycbcr, .all)] + sides.map { (.scaled, $0) }
      + sides.map { (.thumbnail, $0) } + parts.map { (.region, $0) } + [(.firstTile, .all)]
  }

  /// The sources for one file: as found, for the system's libraries and for builds, and as encoded by codecs.
  func sources(of entry: CorpusEntry) -> [Source] {
    [Source()] + builds.filter { reads($0, entry) }.map { Source(build: $0) }
      + encodings.map { Source(encoding: $0, build: $0.variant.build) }
  }

  /// True if a build has its own libraries for a file as found.
  private func reads(_ build: String, _ entry: CorpusEntry) -> Bool {
    entry.header.map { libraries[CodecVariant(codec: $0.format, build: build)] != nil } ?? false
  }

  func keys(of entry: CorpusEntry, _ source: Source) -> [Case] {
    let format = source.encoding?.variant.codec ?? entry.header?.format
    let preparation = preparation.canonicalSpelling
    let libraries = format.flatMap { self.libraries[CodecVariant(codec: $0, build: source.build)] }
    return routes.map {
      Case(
        image: entry.identity, encoding: source.encoding, format: format ?? "", preparation: preparation,
        route: $0.route, wanted: $0.wanted, libraries: libraries ?? "", build: source.build)
    }
  }

  /// The libraries that take part in reading: for files as found, the system's and those of builds that differ from
  /// them; for files of codecs, those of the variants.
  static func libraries(
    of formats: Set<String>, _ variants: [VariantDescription], _ builds: TriedBuilds,
    scoresThroughBuilds: Bool
  ) -> [CodecVariant: String] {
    var libraries: [CodecVariant: String] = [:]
    for format in formats {
      let system = CodecRegistry.standard.libraries(of: format)
      libraries[CodecVariant(codec: format)] = system.canonicalSpelling
      for build in builds.builds {
        let variant = CodecVariant(codec: format, build: build.name)
        guard let traits = builds.traits(of: variant), traits.absence == nil, traits.libraries != system
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

  /// Throws for a build that would read nothing and be ignored in silence.
  func refuseIdleBuilds() throws(HeicBenchError) {
    let named = Set(encodings.compactMap(\.variant.build))
    for build in builds where !named.contains(build) && !entries.contains(where: { reads(build, $0) }) {
      throw HeicBenchError(
        .usage,
        "build “\(build)” has no library of its own that reads these files; name a codec with it, such as "
          + "--codec heic@\(build)")
    }
  }
}

extension ReadPlan {
  /// Reads what a turn has to read, by one route after the other.
  /// - Parameters:
  ///   - names: Names in the store of scores by programs.
  ///   - known: Finds the point of the same encode as a read's; nil if there is none.
  func read(
    _ turn: inout CaseTurn, _ configuration: RunnerConfiguration, renaming names: [String: String],
    known: (Case) throws -> RouteQuestion.KnownEncode?
  ) throws {
    let (entry, cases) = (turn.job.entry, turn.job.cases)
    // All pixels for each decode: the first, the one for peak memory, and the timed ones.
    let seconds = configuration.timeout(pixels: entry.pixels * (repeats + 4), repeats: 1)
    let machine = CurrentMachine.describe()
    let jobs = turn.isLast ? 1 : configuration.jobs
    let origin = TimesOrigin(host: machine.host, processor: machine.processor, jobs: jobs)
    let point = try cases.first.flatMap { try $0.encodedAt == nil ? nil : known($0) }
    for key in cases {
      let question = RouteQuestion(
        path: entry.file.path, key: key, repeats: repeats, known: point, commandSeconds: seconds)
      let read =
        try entry.problem.map { .failed($0) }
        ?? turn.slot.read(question, of: entry.file, within: seconds).outcome
      guard var outcome = read else { return }
      if case .measured(var figures) = outcome {
        figures.timing.conditions = jobs == 1 ? .single : .contended
        for (name, stored) in names {
          figures.scores[stored] = figures.scores.removeValue(forKey: name)
          figures.failedScores[stored] = figures.failedScores.removeValue(forKey: name)
        }
        outcome = .measured(figures)
      }
      try turn.keep(CaseRecord(key: key, outcome: outcome, timesOrigin: origin))
    }
  }
}

extension WorkerSlot {
  /// Reads a file by a route. The system's decoder scores what a build's worker has read, as in a sweep, unless builds
  /// score their own files.
  func read(
    _ question: RouteQuestion, of file: ImageFile, within seconds: Double
  ) throws -> Response<Figures> {
    try readable(question, of: file).map { _ in
      var question = question
      let (build, limit) = (question.key.build, seconds + commandSeconds(beside: seconds))
      let isScored = build != nil && !configuration.scoresThroughBuild
      if isScored { question.share = .cost }
      let cost = try ask(question, build: build, within: limit)
      guard isScored, case .answered(let figures) = cost else { return cost }
      question.share = .scores
      return Self.joined(figures, scored: try ask(question, within: limit))
    }
  }

  /// Makes sure that a build's worker finds the pixels from which a read of an encode begins.
  private func readable(_ question: RouteQuestion, of file: ImageFile) throws -> Response<Void> {
    guard question.key.build != nil, question.key.encodedAt != nil else { return .answered(()) }
    return try handOver(file)
  }

  /// Combines a build's figures with the scores through the system's decoder. A file that only the build can read has
  /// none.
  private static func joined(_ figures: Figures, scored: Response<Figures>) -> Response<Figures> {
    var figures = figures
    switch scored {
    case .cancelled, .unusable: return scored
    case .failed(let failure) where failure.isWorthRetrying: return scored
    case .failed(let failure):
      figures.remarks.append("not scored: the system's decoder says: \(failure.message)")
    case .answered(let scored):
      if scored.encodedBytes == figures.encodedBytes, scored[.width] == figures[.width],
        scored[.height] == figures[.height]
      {
        (figures.scores, figures.failedScores) = (scored.scores, scored.failedScores)
      } else {
        figures.remarks.append("not scored: the system's decoder makes another picture of it")
      }
    }
    return .answered(figures)
  }

  /// Returns the picture that a read delivers, as PNG, by the libraries of the read.
  func show(
    _ question: RouteQuestion, of file: ImageFile, within seconds: Double
  ) throws -> Response<[UInt8]> {
    try readable(question, of: file).map { _ in
      try ask(RoutePictureQuestion(read: question), build: question.key.build, within: seconds).map {
        .answered($0.bytes)
      }
    }
  }
}
