import ArgumentParser
import HeicBenchKit

struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures", abstract: "List what failed in a run, with commands that reproduce it.")

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, csv, json
  }

  @Argument(help: "The results folder.", completion: .directory)
  var results = "results"

  @Option(help: "Write text for people, csv or json.")
  var format = Format.text

  func run() throws {
    let failures = try FailureListing(results: results)
    switch format {
    case .text: StandardOutput.write(failures.text)
    case .csv: StandardOutput.write(failures.csv)
    case .json: StandardOutput.write(failures.json)
    }
  }
}
