import ArgumentParser
import HeicBenchKit

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write a slim, sorted baseline from a run, to commit and compare with.",
    discussion: """
      A baseline keeps only deterministic figures (sizes, scores, library versions) in a fixed order, so that \
      a diff shows only figures that changed.

        heicbench baseline results --output results/baseline.csv
        heicbench baseline results --reads --output results/decode-baseline.csv
        heicbench baseline results --tiles --output results/tiles-baseline.csv
        heicbench baseline results --generations --output results/generations-baseline.csv
      """)

  @Argument(help: "A results folder or a measurements.csv.", completion: .file())
  var results = "results"

  @Option("The file to write; - is standard output.", value: "file", name: .output, completion: .file())
  var output = "results/baseline.csv"

  @Flag(
    help:
      "Write the baseline even if the run is unfinished or lacks shards; it then covers less than planned."
  )
  var force = false

  @Flag var way: BaselineRequest.Way?

  func run() throws {
    var request = BaselineRequest(results: results)
    request.way = way
    request.acceptsUnfinished = force
    if output == "-" {
      var output = StandardOutput()
      try request.write(to: &output)
    } else {
      for notice in try request.write(to: output) { StandardError.notice(notice) }
    }
  }
}
