import ArgumentParser
import Codecs
import Foundation
import HeicBenchKit
import View
import Workers

/// The other end of a runner's pipes; started by sweeps, never by people.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Measure encodes for a sweep that started this process.",
    shouldDisplay: false)

  static let questions = Questions.all + ViewQuestions.all

  func run() throws { Foundation.exit(WorkerMain.run(registry: .standard, questions: Self.questions)) }
}
