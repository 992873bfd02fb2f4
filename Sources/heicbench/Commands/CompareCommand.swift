import ArgumentParser
import HeicBenchKit

/// Puts runs side by side without a verdict.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Put two or more runs side by side, without a verdict.",
    discussion: """
      All runs are compared with the first. Where two runs have one codec under different settings, these are \
      paired.

        heicbench compare results-x265-3.5 results-x265-4.1
      """)

  @Argument(help: "Results folders or measurements.csv files, two at least.", completion: .file())
  var runs: [String]

  @Option(help: "Write markdown or json.")
  var format = CheckCommand.Format.markdown

  @OptionGroup(title: "What to answer") var judgement: JudgementOptions

  func validate() throws {
    if runs.count < 2 { throw ValidationError("Name at least two runs.") }
  }

  func run() throws {
    var request = CompareRequest(runs)
    request.judgement = judgement.judgement
    StandardOutput.write(try format == .json ? request.json() : request.markdown())
  }
}
