import ArgumentParser
import HeicBenchKit

/// The gate: compares a run with a baseline and fails when it got worse.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compare a run with a baseline, and fail when it got worse.",
    discussion: """
      Sizes and scores are deterministic and compared point by point, in total and at equal quality; times only \
      where host, jobs and threads agree. A baseline of reads (heicbench baseline --reads) guards decode times, \
      memory and scores of “decode”. Exit code 1 means a regression, or that something which the baseline \
      guards could not be compared; the last lines say what it comes from, and how to accept it.

        heicbench check --baseline results/baseline.csv
        heicbench check --baseline main.csv --current results --threshold total-bytes=1 --junit gate.xml

      On GitHub the findings also become annotations and the job’s summary.
      """)

  /// How the outcome is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown, json
  }

  @Option(
    help: ArgumentHelp(
      "What to compare with: any measurements.csv or results folder; for reads a baseline of them or a decodes.csv.",
      valueName: "file"),
    completion: .file())
  var baseline: String

  @Option(
    help: ArgumentHelp("What to judge: a results folder or a measurements.csv.", valueName: "results"),
    completion: .file())
  var current = "results"

  @Option(help: "Write markdown or json to standard output.")
  var format = Format.markdown

  @OptionGroup(title: "Thresholds") var gate: GateOptions
  @OptionGroup(title: "What to answer") var judgement: JudgementOptions

  func run() throws {
    guard !ReadGateRequest.isOfReadsAlone(baseline) else { return try checkReads(beside: nil) }
    let outcome = try gate.request(baseline: baseline, judgement: judgement).run(on: current)
    outcome.tellGitHub()
    // A folder with reads beside its sweep guards both.
    guard !ReadGateRequest.isBaseline(baseline) else { return try checkReads(beside: outcome) }
    StandardOutput.write(format == .json ? outcome.json : outcome.markdown)
    if outcome.hasFailed { throw ExitCode(ExitStatus.regression.rawValue) }
  }

  private func checkReads(beside sweep: GateOutcome?) throws {
    if sweep == nil, gate.junit != nil {
      throw ValidationError("--junit has no form for reads; take --format json.")
    }
    let outcome = try gate.readRequest(baseline: baseline).run(on: current)
    for notice in outcome.notices { StandardError.notice(notice) }
    switch format {
    case .json: StandardOutput.write(sweep?.json(with: outcome) ?? outcome.json)
    case .markdown:
      StandardOutput.write([sweep?.markdown, outcome.markdown].compactMap(\.self).joined(separator: "\n"))
    }
    if outcome.hasFailed || sweep?.hasFailed == true { throw ExitCode(ExitStatus.regression.rawValue) }
  }
}
