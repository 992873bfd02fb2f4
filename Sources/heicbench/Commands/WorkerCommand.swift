import ArgumentParser
import Codecs
import Foundation
import HeicBenchKit
import Workers

/// The other end of a runner's pipes; started by sweeps, never by people.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Measure points for a sweep that started this process.",
    shouldDisplay: false)

  func run() throws { Foundation.exit(WorkerMain.run(registry: .standard)) }
}
