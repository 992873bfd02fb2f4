import ArgumentParser
import HeicBenchKit

/// The earlier name of `report` with several runs.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Show two or more runs side by side: today's name is “report”, followed by the runs.",
    shouldDisplay: false)

  typealias Format = CheckCommand.Format

  @Argument(help: "Results folders or measurements.csv files, at least two.", completion: .file())
  var runs: [String]

  @Option(help: "Write markdown (shown as text on a terminal) or json.")
  var format = Format.markdown

  @OptionGroup(title: "Comparison") var judgement: JudgementOptions

  func validate() throws {
    try refuse(runs.count < 2, "Name at least two runs.")
  }

  func run() throws {
    StandardError.notice("“heicbench compare” is now “heicbench report”, followed by the runs")
    try Self.show(runs, judgement, as: format)
  }

  static func show(_ runs: [String], _ judgement: JudgementOptions, as format: Format) throws {
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
