import Analysis
import ArgumentParser
import HeicBenchKit
import Metrics
import Model
import Reports

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
    let sources = try runs.map { (label: $0, source: try ResultsInput.rows(at: $0)) }
    let metrics = metrics(of: sources.map(\.source))
    let comparison = try RunComparison(
      sources.map {
        (RunComparison.Run(label: $0.label, manifest: $0.source.manifest), $0.source.forEachRow)
      },
      metrics: metrics, options: try judgement.judgement.options(metrics: metrics))
    let text = format == .json ? GateJSON.text(comparison) : ComparisonSummary(comparison).markdown
    StandardOutput.write(text)
  }

  /// The metrics of all runs, each once.
  private func metrics(of sources: [RowSource]) -> [MetricTraits] {
    var seen: Set<String> = []
    return sources.flatMap(\.metrics).filter { seen.insert($0.id).inserted }
  }
}
