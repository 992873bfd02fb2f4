import ArgumentParser
import HeicBenchKit

/// The earlier name of `check --write`.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Write a baseline from a run: today's name is “check --write”.",
    shouldDisplay: false)

  @Argument(help: "A results folder or a measurements.csv.", completion: .file())
  var results = "results"

  @Option("The file to write; - is standard output.", value: "file", name: .output, completion: .file())
  var output = "results/baseline.csv"

  @OptionGroup var contents: BaselineOptions

  func run() throws {
    StandardError.notice("“heicbench baseline” is now “heicbench check --write”")
    try contents.write(results, to: output)
  }
}
