import CodecKit
import Codecs
import Metrics
package import Model
import Reports
import Workers

package struct BisectRequest: Request {
  package enum Quantity: String, Sendable, Hashable, CaseIterable {
    case bytes
    case score
    case encode, decode
  }

  package var images: ImageSource
  /// The builds, oldest first; one of them may be the system's own libraries.
  package var builds: [LibraryBuild]
  /// True if the files of a build are scored through its own decoder.
  package var scoresThroughBuilds = false
  /// The codec with its settings, without a build.
  package var codec = "heic"
  package var quality: Quality = 0.5
  /// True to decode the files as they are instead of encoding their pictures.
  package var readsFilesAsFound = false
  /// Quantities to follow; empty for sizes and scores, or for decodes if `readsFilesAsFound`.
  package var quantities: [Quantity] = []
  package var metrics = [MetricTraits.headline.id]
  /// Smallest change that counts: percent of bytes and times, points or decibels of a score.
  package var threshold = 2.0
  /// Limit on the rounds of timing two builds.
  package var rounds = 100
  /// Seconds after which a comparison of times begins no further round; there are always five rounds.
  package var secondsPerComparison = 120.0
  /// Worker settings; `jobs` is ignored, since nothing runs in parallel.
  package var workers = WorkerSettings()

  package init(images: ImageSource, builds: [LibraryBuild]) {
    (self.images, self.builds) = (images, builds)
  }

  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (BisectEvent) -> Void = { _ in }
  ) throws -> BisectOutcome {
    try HeicBenchError.mapping {
      try check()
      return try BisectRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  private func check() throws(HeicBenchError) {
    try HeicBenchError.require(builds.count > 1, "bisect needs at least two builds, oldest first")
    try Limits.threshold.check(threshold)
    try Limits.rounds.check(rounds)
    try HeicBenchError.require(
      secondsPerComparison > 0 && secondsPerComparison < .infinity,
      "--comparison-time must be more than 0 seconds, not \(secondsPerComparison)")
    try HeicBenchError.require(builds.count(where: \.isSystem) < 2, "the system's libraries are named twice")
    try HeicBenchError.require(Set(builds.map(\.name)).count == builds.count, "two builds have the same name")
    try HeicBenchError.require(
      !codec.contains("@"), "--codec must not name a build, since bisect tries every build with it")
    try HeicBenchError.require(
      !quantities.contains(.score) || !metrics.isEmpty, "give at least one metric")
    try HeicBenchError.require(
      !readsFilesAsFound || quantities.allSatisfy { $0 == .decode },
      "--as-found encodes nothing, so only decode times can be compared")
  }

  func followed() throws -> [BuildQuantity] {
    let scores = try MetricSuite(sdr: metrics).traits
    let usual: [Quantity] = readsFilesAsFound ? [.decode] : [.bytes, .score]
    return (quantities.isEmpty ? usual : quantities).flatMap { quantity -> [BuildQuantity] in
      switch quantity {
      case .bytes: [.bytes]
      case .score: scores.map { .score($0) }
      case .encode: [.time(.encode)]
      case .decode: [.time(.decode)]
      }
    }
  }
}

extension Limits {
  package static let rounds = Limit(name: "rounds", range: BuildContrast.fewestRounds...1000)
}

struct BisectRun {
  /// Divisor for the time limit of a round: with many images, a round covers only some of them.
  private static let shortestRounds = 10.0

  let request: BisectRequest
  let cancellation: Cancellation
  let events: @Sendable (BisectEvent) -> Void

  func run() throws -> BisectOutcome {
    let entries = try entries()
    let quantities = try request.followed()
    let meter = try meter(entries, quantities)
    defer {
      cancellation.release()
      meter.close()
    }
    var outcome = BisectOutcome(
      builds: request.builds.map(\.name),
      subject: Numerals.counted(entries.count, request.readsFilesAsFound ? "file" : "image"))
    do {
      // One by one, so that those that are done remain if a later one cannot be compared.
      for quantity in quantities {
        var comparisons = 0
        let found = try Bisection(quantity, count: outcome.builds.count, threshold: request.threshold) {
          comparisons += 1
          return try compare(quantity, $0, $1, comparisons, meter)
        }
        outcome.bisections.append(found)
      }
    } catch let problem as BuildMeter.Problem {
      (outcome.problem, outcome.wasInterrupted) = (problem.message, problem.message == nil)
    }
    meter.tellRemarks { events(.notice($0)) }
    return outcome
  }

  private func entries() throws -> [CorpusEntry] {
    let configuration = try request.workers.configuration(limits: request.images.limits)
    let listing = try request.images.listing(to: "measure", by: WorkerDescriber(configuration)) {
      events(.notice($0))
    }
    let entries = listing.entries
    for entry in entries {
      guard let problem = entry.problem else { continue }
      events(.failed(file: entry.identity.name, message: problem.message))
    }
    let usable = entries.filter { $0.problem == nil }.withoutCopies
    guard !usable.isEmpty else { throw ImageInput.nothing(to: "measure", listing.passedOver) }
    return usable
  }

  private func meter(_ entries: [CorpusEntry], _ quantities: [BuildQuantity]) throws -> BuildMeter {
    var configuration = try request.workers.configuration(limits: request.images.limits)
    configuration.jobs = 1
    configuration.scoresThroughBuild = request.scoresThroughBuilds
    let parts = request.codec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let settings = parts.count == 2 ? ":\(parts[1])" : ""
    let spellings =
      request.readsFilesAsFound
      ? [] : request.builds.map { "\(parts[0])\($0.isSystem ? "" : "@" + $0.name)\(settings)" }
    let builds = try TriedBuilds(
      request.builds.filter { !$0.isSystem }, spellings: spellings, system: .standard)
    configuration.builds = builds.builds
    guard !request.readsFilesAsFound else {
      try checkReaders(of: entries, builds)
      return BuildMeter(
        .files(entries, builds: request.builds.map { $0.isSystem ? nil : $0.name }),
        configuration: configuration, cancellation: cancellation)
    }
    let builder = PlanBuilder(
      registry: .standard, builds: builds, scoresThroughBuild: configuration.scoresThroughBuild)
    let plan = builder.plan(
      entries: entries, variants: try builder.describe(spellings.compactMap { CodecVariant(unchecked: $0) }),
      qualities: QualityList([request.quality]), metrics: quantities.compactMap(\.metric?.id))
    return BuildMeter(.encodes(plan), configuration: configuration, cancellation: cancellation)
  }

  /// Throws if a build would read files with the same libraries as the others.
  private func checkReaders(of entries: [CorpusEntry], _ builds: TriedBuilds) throws(HeicBenchError) {
    let hasAVIF = entries.contains { $0.header?.format == "avif" }
    let build = builds.builds.map(\.name).first { name in
      builds.traits(of: CodecVariant(codec: "avif", build: name))?.libraries.readFiles == false
    }
    guard hasAVIF, let build else { return }
    throw HeicBenchError(
      .usage, "build “\(build)” has libavif, but AVIF files are read through libheif; leave out --as-found")
  }

  private func compare(
    _ quantity: BuildQuantity, _ before: Int, _ after: Int, _ number: Int, _ meter: BuildMeter
  ) throws -> BuildContrast {
    var progress = BisectProgress(
      quantity: quantity, before: request.builds[before].name, after: request.builds[after].name,
      comparison: number, mostComparisons: 2 * request.builds.count - 3, allImages: meter.entries.count)
    events(.began(progress))
    let contrast =
      if let operation = quantity.operation {
        try timed(operation, before, after, &progress, meter)
      } else {
        try BuildContrast(
          quantity, before: quantity.values(of: meter.encode(before)),
          after: quantity.values(of: meter.encode(after)))
      }
    guard let contrast else {
      throw BuildMeter.Problem(
        message:
          "\(progress.subject) of \(progress.before) and \(progress.after) cannot be compared: an image has no value"
      )
    }
    progress.note(contrast, request)
    events(.compared(progress))
    return contrast
  }

  private func timed(
    _ operation: TimedOperation, _ before: Int, _ after: Int, _ progress: inout BisectProgress,
    _ meter: BuildMeter
  ) throws -> BuildContrast? {
    var rounds: [(before: [Double], after: [Double])] = []
    let start = MonotonicClock.now()
    while true {
      let round = try meter.round(
        before, after, within: request.secondsPerComparison / Self.shortestRounds)
      rounds.append((round.before.compactMap { $0[operation] }, round.after.compactMap { $0[operation] }))
      progress.seconds = MonotonicClock.seconds(since: start)
      (progress.rounds, progress.images) = (rounds.count, rounds.map(\.before.count).max() ?? 0)
      let contrast = BuildContrast(progress.quantity, rounds: rounds)
      progress.note(contrast, request)
      events(.round(progress))
      guard rounds.count >= BuildContrast.fewestRounds else { continue }
      guard let contrast else { return nil }
      let isLast = rounds.count >= request.rounds || progress.seconds >= request.secondsPerComparison
      let isDecided =
        BuildContrast.isLook(rounds.count)
        && contrast.verdict(threshold: request.threshold) != .undecided
      if isLast || isDecided { return contrast }
    }
  }
}
