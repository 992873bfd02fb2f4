import ArgumentParser
import HeicBenchKit

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compare a run with a baseline, and fail if it got worse; --write makes the baseline.",
    discussion: """
      Sizes and scores are deterministic, so they are compared point by point, in total and at equal quality; times \
      only where host, jobs and threads agree. Exit code 1 means a regression, or that something the baseline covers \
      could not be compared; the last lines give the cause and say how to accept the change.

      --write makes a baseline to commit: for a sweep, only sizes, scores and library versions in a fixed order, so \
      that a diff shows only figures that changed. With --reads, --tiles or --generations, it covers decode times, \
      memory and scores of “decode”, bytes, memory and scores of “tiles”, or bytes and scores of every file of \
      “generations”.

        heicbench check --write results/baseline.csv
        heicbench check --baseline results/baseline.csv
        heicbench check --baseline main.csv --current results --threshold total-bytes=1 --junit gate.xml

      On GitHub, the findings also appear as annotations and in the job summary.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown, json
  }

  @Option(
    help: ArgumentHelp(
      "The baseline: any measurements.csv or results folder; for reads, tiles and generations, their own baseline or a "
        + "decodes.csv, tiles.csv or generations.csv.",
      valueName: "file"),
    completion: .file())
  var baseline: String?

  @Option(
    "Write a baseline of the results to this file instead of comparing; - is standard output.", value: "file",
    completion: .file())
  var write: String?

  @Option(
    "The results to judge: a results folder or a measurements.csv.", value: "results", completion: .file())
  var current = "results"

  @Option(help: "Write markdown (shown as text on a terminal) or json to standard output.")
  var format = Format.markdown

  @OptionGroup(title: "With --write") var contents: BaselineOptions
  @OptionGroup(title: "Thresholds") var gate: GateOptions
  @OptionGroup(title: "Comparison") var judgement: JudgementOptions

  func validate() throws {
    try refuse(
      (baseline == nil) == (write == nil), "Name either a --baseline to compare with or a file to --write.")
    if write == nil, let given = contents.given { try refuse(true, "\(given) needs --write.") }
    if write != nil, let given = gate.given { try refuse(true, "\(given) needs --baseline.") }
    try refuse(
      write != nil && (format != .markdown || judgement.judgement != Judgement()),
      "--write makes a CSV file with every score: --format, --score, --band and --headline need --baseline.")
  }

  func run() throws {
    if let write { return try contents.write(current, to: write) }
    guard let baseline else { return }
    let request = gate.request(baseline: baseline, judgement: judgement)
    let outcome = try GateConsole.guarding(request) { try request.run(on: current) }
    GateConsole.tellGitHub(outcome)
    switch format {
    case .json: StandardOutput.write(outcome.json)
    case .markdown:
      StandardOutput.tell {
        outcome.text(width: $0)
      } elsewhere: {
        outcome.markdown
      }
    }
    if outcome.hasFailed { throw ExitCode(ExitStatus.regression.rawValue) }
  }
}
