import ArgumentParser
import HeicBenchKit

/// The earlier name of `report --failures`.
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures", abstract: "List what failed in a run: today's name is “report --failures”.",
    shouldDisplay: false)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, csv, json
  }

  @Argument(help: "The results folder.", completion: .directory)
  var results = "results"

  @Option(help: "Write text for people, csv or json.")
  var format = Format.text

  func run() throws {
    StandardError.notice("“heicbench failures” is now “heicbench report --failures”")
    try Self.list(results, as: format)
  }

  static func list(_ results: String, as format: Format) throws {
    let failures = try FailureListing(results: results)
    switch format {
    case .text: StandardOutput.write(failures.text)
    case .csv: StandardOutput.write(failures.csv)
    case .json: StandardOutput.write(failures.json)
    }
  }
}
