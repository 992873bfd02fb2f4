import ArgumentParser
import HeicBenchKit

/// Measures a corpus; the default command.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Encode, decode and score every image with every codec at every quality.",
    discussion: """
      Writes report.html, summary.md, measurements.csv, charts and the database heicbench.sqlite into the results \
      folder. Running the same command again measures only what is missing, even after an interruption.

        heicbench corpus/ --qualities 0.1...1.0
        heicbench a.png b.heic --codec jpeg --codec heic:chroma=444 --qualities 0.5...0.95:0.05
        find photos -name '*.png' -print0 | heicbench --files - --limit 100
      """)

  @OptionGroup(title: "Images") var corpus: CorpusOptions
  @OptionGroup(title: "Images") var sample: SampleOptions
  @OptionGroup(title: "Encoding and metrics") var coding: CodingOptions
  @OptionGroup(title: "Encoding and metrics") var strategy: StrategyOptions
  @OptionGroup(title: "Execution") var runner: RunnerOptions
  @OptionGroup(title: "Times") var timing: TimingOptions
  @OptionGroup(title: "Comparison") var judgement: JudgementOptions
  @OptionGroup(title: "Results") var output: OutputOptions
  @OptionGroup(title: "The page") var page: PageOptions

  @Option(
    "Afterwards compare with this measurements.csv or results folder, as “heicbench check” does, and exit with code 1 "
      + "on a regression.", value: "file", completion: .file())
  var baseline: String?

  @OptionGroup(title: "The gate, with --baseline") var gate: GateOptions

  func validate() throws {
    if baseline == nil, let given = gate.given { try refuse(true, "\(given) needs --baseline.") }
    guard strategy.target != nil else { return }
    try refuse(
      coding.chosenQualities != nil, "--qualities is for a sweep; a search with --target finds its own.")
    try refuse(timing.isWanted, "--time is for a sweep over qualities, not for --target.")
  }

  func run() throws {
    let cancellation = try Interruption().cancellation
    let console = SweepConsole(output)
    let request = request
    StandardError.noticeRepeated(coding.codecs)
    let status = try GateConsole.guarding(request.gate) { () throws -> ExitStatus in
      let outcome = try request.run(cancellation: cancellation, events: console.show)
      try console.tell(outcome)
      if outcome.wasInterrupted || outcome.ranOutOfTime {
        try GateConsole.tellUnlooked(
          request.gate, outcome.ranOutOfTime ? "the budget ran out before the sweep was done" : "interrupted")
        return outcome.ranOutOfTime ? .budgetSpent : .interrupted
      }
      let gate = try request.gate?.run(on: outcome)
      if let gate { console.tell(gate) }
      let status = try exitStatus(outcome, gate)
      if gate != nil, status == .someFailed { GateConsole.tellFailures(outcome) }
      return status
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  var request: SweepRequest {
    var request = SweepRequest(images: corpus.source, output: output.output)
    (request.sample, request.seed) = (sample.sample, sample.seed)
    coding.apply(to: &request)
    strategy.apply(to: &request)
    runner.apply(to: &request)
    request.reuse = output.earlier.reuse
    request.timing = timing.timing
    request.judgement = judgement.judgement
    request.page = page.settings
    request.gate = baseline.map { gate.request(baseline: $0, judgement: judgement) }
    request.width = StandardOutput.width
    request.command = ["heicbench"] + CommandLine.arguments.dropFirst()
    return request
  }

  private func exitStatus(_ outcome: SweepOutcome, _ gate: GateOutcome?) throws -> ExitStatus {
    if gate?.hasFailed == true { return .regression }
    // A part without usable images, from --shard or a list, is complete: its results name the images and the reasons.
    if corpus.shard == nil, corpus.files == nil { try outcome.requireUsableImages() }
    return outcome.failures.isEmpty && outcome.notKept.isEmpty ? .success : .someFailed
  }
}
