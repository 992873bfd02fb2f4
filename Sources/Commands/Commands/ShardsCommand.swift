import ArgumentParser
import HeicBenchKit
import Reports
import Store

struct ShardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shards", abstract: "Estimate from a sample how many equal parts to split a sweep into.",
    discussion: """
      Measures a sample with the options of the sweep, projects the CPU time to all images by pixel count, and prints \
      how many parts of that length are needed and the command for one. Parts can run on any machines, in any order \
      and more than once. The sample stays in the folder “sample” of the results. If something in it fails, the \
      failure is named and the exit code is 3.

        heicbench shards photos/ --minutes 10
        heicbench shards photos/ --minutes 60 --sample 50 --codec jpeg --codec heic:preset=medium
      """)

  @Option("The time that a part may take on this machine.", value: "minutes", transform: Limits.minutes.parse)
  var minutes = 10.0

  @OptionGroup var drawn: SampleOptions
  @OptionGroup var output: FolderOptions

  @Argument(parsing: .allUnrecognized, help: "Images and folders, and any other option of a sweep.")
  var sweep: [String] = []

  /// The default number of images in a sample.
  private static let usualSample = 24

  func run() throws {
    let command = try SweepCommand.parse(sweep)
    try refuse(command.corpus.shard != nil, "A part cannot be split again: leave out --shard.")
    try refuse(
      command.corpus.files == InputPath("-"),
      "Standard input cannot be read again for each part: write the list into a file for --files.")
    let cancellation = try Interruption().cancellation
    var request = command.request
    (request.sample, request.seed) = (drawn.sample ?? Self.usualSample, drawn.seed)
    request.output = output.output + "/sample"
    (request.page.images, request.gate) = (0, nil)
    let console = SweepConsole(command.output)
    let outcome = try request.run(cancellation: cancellation) { event in
      if case .answer = event { return }
      console.show(event)
    }
    try ExitStatus.check(
      wasInterrupted: outcome.wasInterrupted && !outcome.ranOutOfTime, hasFailures: false)
    try outcome.requireUsableImages()
    tell(outcome.failures)
    let plan: ShardPlan
    do { plan = try outcome.shards(of: minutes * 60) } catch {
      throw outcome.failures.isEmpty ? error : ExitCode(ExitStatus.someFailed.rawValue)
    }
    StandardOutput.tell(answer(plan))
    StandardOutput.write(commands(of: plan))
    try ExitStatus.check(wasInterrupted: false, hasFailures: !outcome.failures.isEmpty)
  }

  /// The largest number of failures to name; `report --failures` lists them all.
  private static let mostNamed = 10

  private func tell(_ failures: [FailedPoint]) {
    guard !failures.isEmpty else { return }
    for failure in failures.prefix(Self.mostNamed) { StandardError.notice("failed: \(failure.sentence)") }
    let images = failures.count { $0.codec == nil }
    let counts = [(images, "image"), (failures.count - images, "encode")].filter { $0.0 > 0 }
      .map { Numerals.counted($0.0, $0.1) }
    StandardError.notice(
      "the sample lacks \(counts.joined(separator: " and ")), so the parts may take too long; “heicbench report "
        + "\(output.output)/sample --failures” lists all failures, and the same command with --retry-failed measures "
        + "them again"
    )
  }

  private func answer(_ plan: ShardPlan) -> String {
    let range = plan.range.map {
      " (95 % interval \(Numerals.duration($0.lowerBound)) to \(Numerals.duration($0.upperBound)))"
    }
    let parts = Numerals.counted(plan.count, "part")
    var text =
      "\(Numerals.counted(plan.images, "image")) take \(Numerals.duration(plan.seconds)) of CPU time\(range ?? ""), "
      + "judging by a sample of \(Numerals.grouped(plan.sampled)): \(parts) of "
      + "\(Numerals.duration(plan.secondsOfPart)) with \(Numerals.counted(plan.jobs, "job"))"
    if plan.isForLargest { text += ", no shorter than the largest image takes" }
    if plan.count > 1 { text += ", the longest up to \(Numerals.ratio(plan.longest)) times that" }
    return text + ".\n"
  }

  private func commands(of plan: ShardPlan) -> String {
    func line(_ words: [String]) -> String { "\n  " + words.map(ShellWord.quoted).joined(separator: " ") }
    let part = ["--shard", "1/\(plan.count)", "--images", "none", "--output", "\(output.output)/part-1"]
    let others =
      plan.count > 1 ? "The same with 2/\(plan.count) to \(plan.count)/\(plan.count), and then:\n" : "Then:\n"
    // Failures were retried for the sample only; the parts have none to retry yet.
    let sweep = sweep.filter { $0 != "--retry-failed" }
    return line(["heicbench"] + sweep + part) + "\n\n" + others
      + line(["heicbench", "merge", "\(output.output)/merged", "\(output.output)/part-"]) + "*\n"
  }
}
