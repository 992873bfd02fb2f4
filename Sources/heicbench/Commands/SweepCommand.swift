import ArgumentParser
import Codecs
import Foundation
import Model
import Store
import Sweep

/// Measures a corpus: the command that runs when none is named.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Encode, decode and score every image with every codec at every quality.",
    discussion: """
      Writes report.html, summary.md, measurements.csv, charts and the database heicbench.sqlite into the results \
      folder. The same command again measures only what is missing, also after an interruption.

        heicbench corpus/ --qualities 0.1...1.0
        heicbench a.png b.heic --codec jpeg --codec heic:chroma=444 --qualities 0.5...0.95:0.05
        find photos -name '*.png' -print0 | heicbench --files - --limit 100
      """)

  @OptionGroup(title: "What to measure") var corpus: CorpusOptions
  @OptionGroup(title: "How to encode and judge") var coding: CodingOptions
  @OptionGroup(title: "How to encode and judge") var target: TargetOption
  @OptionGroup(title: "How to encode and judge") var refinement: RefinementOption
  @OptionGroup(title: "How to work") var runner: RunnerOptions
  @OptionGroup(title: "Times") var timing: TimingOptions
  @OptionGroup(title: "What to answer") var judgement: JudgementOptions
  @OptionGroup(title: "Results") var output: OutputOptions
  @OptionGroup(title: "The page") var page: PageOptions

  @Option(
    help: ArgumentHelp(
      "Compare with this measurements.csv or results folder afterwards, as “heicbench check” does, and exit with 1 "
        + "on a regression.", valueName: "file"), completion: .file())
  var baseline: String?

  @OptionGroup(title: "The gate, with --baseline") var gate: GateOptions

  func validate() throws {
    if target.text != nil, coding.chosenQualities != nil {
      throw ValidationError("--qualities goes with a sweep: a search with --target finds its own.")
    }
    if target.text != nil, timing.isWanted {
      throw ValidationError("--time goes with a sweep over qualities, not with --target.")
    }
  }

  func run() throws {
    let options = SweepOptions(
      corpus: corpus, coding: coding, runner: runner, target: target, timing: timing,
      refinement: refinement, judgement: judgement, output: output, page: page, baseline: baseline,
      gate: gate)
    let status = try SweepSession(options).run()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
