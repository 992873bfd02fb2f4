import ArgumentParser
import HeicBenchKit

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write a slim, sorted baseline from a run, to commit and compare with.",
    discussion: """
      It keeps what is deterministic, sizes, scores and library versions, in an order of its own, so that its \
      diffs show changed figures and nothing else.

        heicbench baseline results --output results/baseline.csv
        heicbench baseline results --reads --output results/decode-baseline.csv
        heicbench baseline results --tiles --output results/tiles-baseline.csv
      """)

  @Argument(help: "A results folder or a measurements.csv.", completion: .file())
  var results = "results"

  @Option(
    name: .output,
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
  var output = "results/baseline.csv"

  @Flag(
    help:
      "Write it although the run is not finished or lacks shards, so that it guards less than was planned.")
  var force = false

  @Flag(
    help:
      "Write a baseline of what “decode” has read: memory, scores, and times with the machine they were taken on."
  )
  var reads = false

  @Flag(help: "Write a baseline of what “tiles” has cut: bytes, scores and memory.")
  var tiles = false

  func validate() throws {
    if reads, tiles {
      throw ValidationError("--reads and --tiles are two baselines: write one after the other.")
    }
  }

  func run() throws {
    var request = BaselineRequest(results: results)
    request.subject = reads ? .reads : tiles ? .tiles : .sweep
    request.acceptsUnfinished = force
    if output == "-" {
      var output = StandardOutput()
      try request.write(to: &output)
    } else {
      for notice in try request.write(to: output) { StandardError.notice(notice) }
    }
  }
}
