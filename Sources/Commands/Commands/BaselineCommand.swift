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

extension BaselineOptions {
  /// Writes a baseline of the results to a file, or to standard output for `-`.
  func write(_ results: String, to file: String) throws {
    var request = BaselineRequest(results: results)
    request.way = way
    request.acceptsUnfinished = force
    if file == "-" {
      var output = StandardOutput()
      try request.write(to: &output)
    } else {
      for notice in try request.write(to: file) { StandardError.notice(notice) }
    }
  }
}
