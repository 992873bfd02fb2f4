import Metrics
package import Model

/// A search for the builds of the libraries between which sizes, scores or times moved.
package struct BisectRequest: Request {
  /// A quantity followed from build to build.
  package enum Quantity: String, Sendable, Hashable, CaseIterable {
    case bytes
    case score
    case encode, decode
  }

  package var images: ImageSource
  /// The builds, the oldest first; one of them may be the system's own libraries.
  package var builds: [LibraryBuild]
  /// True if the files of a build are scored through its own decoder.
  package var scoresThroughBuilds = false
  /// The codec with its settings, without a build.
  package var codec = "heic"
  package var quality: Quality = 0.5
  /// True if the files are decoded as they are instead of their pictures being encoded.
  package var readsFilesAsFound = false
  /// Quantities to follow; empty for sizes and scores, or for decodes if `readsFilesAsFound`.
  package var quantities: [Quantity] = []
  package var metrics = [MetricTraits.headline.id]
  /// Smallest change that counts: percent of bytes and times, points or decibels of a score.
  package var threshold = 2.0
  /// Limit on the rounds in which times of two builds are taken.
  package var rounds = 100
  /// Seconds after which a comparison of times begins no further round; five are always taken.
  package var secondsPerComparison = 120.0
  /// Worker settings; `jobs` is ignored, as nothing runs side by side.
  package var workers = WorkerSettings()

  package init(images: [InputPath], builds: [LibraryBuild]) {
    self.images = ImageSource(images)
    self.builds = builds
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
    try HeicBenchError.require(builds.count > 1, "a search takes two builds at least, the oldest first")
    try Limits.threshold.check(threshold)
    try Limits.rounds.check(rounds)
    try HeicBenchError.require(
      secondsPerComparison > 0 && secondsPerComparison < .infinity,
      "a comparison takes a time of more than 0 seconds, not \(secondsPerComparison)")
    try HeicBenchError.require(builds.count(where: \.isSystem) < 2, "the system's libraries are given twice")
    try HeicBenchError.require(Set(builds.map(\.name)).count == builds.count, "two builds have one name")
    try HeicBenchError.require(!codec.contains("@"), "the codec names no build: every build is tried with it")
    try HeicBenchError.require(
      !quantities.contains(.score) || !metrics.isEmpty, "there is no metric to score with")
    try HeicBenchError.require(
      !readsFilesAsFound || quantities.allSatisfy { $0 == .decode },
      "nothing is encoded where files are read as they are, and decodes are all that can be followed")
  }

  /// The quantities to follow, with the defaults applied.
  func followed() throws -> [BuildQuantity] {
    let scores = try MetricSuite(metrics).traits
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
