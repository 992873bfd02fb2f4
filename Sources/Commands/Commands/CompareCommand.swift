import ArgumentParser
import HeicBenchKit

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Show two or more runs side by side, without a verdict.",
    discussion: """
      All runs are compared with the first. A codec is paired with itself even if the other run has different settings \
      or another build of the libraries; if that run has several variants of it, the one with the same settings is \
      used.

        heicbench compare results-x265-3.5 results-x265-4.1
      """)

  @Argument(help: "Results folders or measurements.csv files, at least two.", completion: .file())
  var runs: [String]

  @Option(help: "Write markdown (shown as text on a terminal) or json.")
  var format = CheckCommand.Format.markdown

  @OptionGroup(title: "Comparison") var judgement: JudgementOptions

  func validate() throws {
    try refuse(runs.count < 2, "Name at least two runs.")
  }

  func run() throws {
    var request = CompareRequest(runs)
    request.judgement = judgement.judgement
    switch format {
    case .json: StandardOutput.write(try request.json())
    case .markdown:
      try StandardOutput.tell {
        try request.text(width: $0)
      } elsewhere: {
        try request.markdown()
      }
    }
  }
}
