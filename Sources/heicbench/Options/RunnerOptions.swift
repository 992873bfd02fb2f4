import ArgumentParser
import HeicBenchKit

/// Settings of a sweep's work. None of them changes sizes or scores.
struct RunnerOptions: ParsableArguments {
  @OptionGroup var workers: WorkerOptions

  @Option(
    "The number of times to time each encode and decode.", value: "n", name: .customLong("repeat"),
    transform: Limits.repeats.parse)
  var repeats = 1

  @Option(
    "Stop after this long, such as 90s, 2m or 1h, and report the results so far: the headline's points come first. Exit code "
      + "4 if points are missing.", value: "time")
  var budget: TimeSpan?

  @Option(
    "coarse: all images at the few qualities that the headline needs, then at the others; image: one image after "
      + "another. The results are the same.", value: "coarse|image")
  var order = SweepRequest.Order.coarseFirst

  @Option("Keep every encoded file, in this folder.", value: "folder", completion: .directory)
  var keepEncoded: String?

  func apply(to request: inout SweepRequest) {
    request.repeats = repeats
    request.budget = budget?.seconds
    request.order = order
    request.keptFiles = keepEncoded
    request.workers = workers.settings
  }
}
