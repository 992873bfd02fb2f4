import ArgumentParser
import Foundation
import Metrics
import Model

/// Scores one pair in a separate process and prints its peak memory in MiB.
struct ScoreOnce: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "score-once", shouldDisplay: false)

  @Argument var reference: String
  @Argument var candidate: String
  @Option var metrics: String

  func run() throws {
    let pair = try ImagePair.files(reference, candidate)
    let ids = metrics.split(separator: ",").map(String.init)
    _ = try MetricSuite(ids).prepare(pair.reference).score(pair.candidate)
    print(MemoryMeter.peakMiB())
  }
}
