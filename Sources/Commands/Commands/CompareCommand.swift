import ArgumentParser
import HeicBenchKit

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Put two or more runs side by side, without a verdict.",
    discussion: """
      All runs are compared with the first. A codec that has different settings, or another build of the \
      libraries, in the other run is still paired with itself; if it has several variants there, with the one of the same settings.

        heicbench compare results-x265-3.5 results-x265-4.1
      """)

  @Argument(help: "Results folders or measurements.csv files, at least two.", completion: .file())
  var runs: [String]

  @Option(help: "Write markdown, which a terminal gets as text, or json.")
  var format = CheckCommand.Format.markdown

  @OptionGroup(title: "What to answer") var judgement: JudgementOptions

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
