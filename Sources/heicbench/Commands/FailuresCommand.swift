import ArgumentParser
import HeicBenchKit
import Reports
import Store

/// Lists what failed, and how to see it fail again.
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures", abstract: "List what failed in a run, with commands that reproduce it.")

  /// How failures are written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, csv, json
  }

  @Argument(help: "The results folder.", completion: .directory)
  var results = "results"

  @Option(help: "Write text for people, csv or json.")
  var format = Format.text

  func run() throws {
    let store = try ResultStore(reading: results)
    let run = try ResultsInput.latestRun(of: store)
    let rows = try store.failures(of: run.id).map { FailureRow($0, manifest: run.manifest) }
    switch format {
    case .text: StandardOutput.write(rows.isEmpty ? "Nothing failed.\n" : rows.map(\.text).joined())
    case .csv: StandardOutput.write(CSVWriter(FailureRow.columns).text(rows))
    case .json: StandardOutput.write(JSONRowsWriter(FailureRow.columns).text(rows) + "\n")
    }
  }
}
