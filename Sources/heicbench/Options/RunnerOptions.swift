import ArgumentParser
import HeicBenchKit

/// Settings of a sweep's work. None of them changes sizes or scores.
struct RunnerOptions: ParsableArguments {
  @OptionGroup var workers: WorkerOptions

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("How often to time each encode and decode.", valueName: "n"),
    transform: Limits.repeats.parse)
  var repeats = 1

  @Option(
    help: ArgumentHelp(
      "Stop after this long, such as 90s, 2m or 1h, and report what is there: the headline's points come first. Exit code "
        + "4 where that is not all.", valueName: "time"),
    transform: { try TimeSpan.parsed($0) })
  var budget: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "coarse: all images at the few qualities that the headline takes, then all at the others; image: one after the "
        + "other. The results are the same.", valueName: "coarse|image"))
  var order = SweepRequest.Order.coarseFirst

  @Option(
    help: ArgumentHelp("Keep every encoded file below this folder.", valueName: "folder"),
    completion: .directory)
  var keepEncoded: String?

  func apply(to request: inout SweepRequest) {
    request.repeats = repeats
    request.budget = budget?.seconds
    request.order = order
    request.keptFiles = keepEncoded
    request.workers = workers.settings
  }
}
