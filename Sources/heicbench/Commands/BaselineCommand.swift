import ArgumentParser
import Results

/// Writes what a run measured as a file to commit.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write a slim, sorted baseline from a run, to commit and compare with.",
    discussion: """
      It keeps what is deterministic, sizes, scores and library versions, in an order of its own, so that its \
      diffs show changed figures and nothing else.

        heicbench baseline results --output results/baseline.csv
      """)

  @Argument(help: "A results folder or a measurements.csv.", completion: .file())
  var results = "results"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
  var output = "results/baseline.csv"

  func run() throws {
    let text = try BaselineText.csv(try ResultsInput.rows(at: results))
    if output == "-" {
      StandardOutput.write(text)
    } else {
      try AtomicFile.write(text, to: output)
    }
  }
}
