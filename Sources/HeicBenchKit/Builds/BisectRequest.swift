import Analysis
import Foundation
package import Model
import Reports

/// A search for the builds of the libraries between which sizes, scores or times moved.
package struct BisectRequest: Request {
  /// A quantity followed from build to build.
  package enum Quantity: String, Sendable, Hashable, CaseIterable {
    case bytes
    /// SSIMULACRA2 of the encoded files.
    case score
    /// CPU time of the encode.
    case encode
    /// CPU time of the decode.
    case decode
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
  /// Smallest change that counts: percent of bytes and times, points of a score.
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

  /// Measures what the search needs.
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
      !readsFilesAsFound || quantities.allSatisfy { $0 == .decode },
      "nothing is encoded where files are read as they are, and decodes are all that can be followed")
  }

  /// The quantities to follow, with the defaults applied.
  var followed: [BuildQuantity] {
    guard quantities.isEmpty else {
      return quantities.map { quantity in
        switch quantity {
        case .bytes: .bytes
        case .score: .score
        case .encode: .encode
        case .decode: .decode
        }
      }
    }
    return readsFilesAsFound ? [.decode] : [.bytes, .score]
  }
}

package struct BisectOutcome: Sendable {
  package let wasInterrupted: Bool
  /// Reason why something could not be compared, as a sentence; nil if everything could.
  package let problem: String?
  private let builds: [String]
  private let bisections: [Bisection]
  private let subject: String

  init(
    _ bisections: [Bisection], builds: [String], subject: String, problem: String? = nil,
    wasInterrupted: Bool = false
  ) {
    (self.bisections, self.builds, self.subject) = (bisections, builds, subject)
    (self.problem, self.wasInterrupted) = (problem, wasInterrupted)
  }

  package var text: String {
    bisections.map { BisectSummary($0, builds: builds, subject: subject).text }.joined()
  }

  /// The result as JSON. Throws if a figure is not finite.
  package func json() throws -> String {
    struct Answer: Encodable {
      let builds: [String]
      let bisections: [Bisection]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let answer = Answer(builds: builds, bisections: bisections)
    return String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n"
  }
}

extension Limits {
  package static let rounds = Limit(name: "rounds", range: BuildContrast.fewestRounds...1000)
}
