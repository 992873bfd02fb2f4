import ArgumentParser
import HeicBenchKit

/// How the work is done. Nothing in here changes sizes or scores.
struct RunnerOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Encodes side by side, each in a process of its own with one encoder thread. (default: the cores)",
      valueName: "n"))
  var jobs: Int?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("How often to time each encode and decode.", valueName: "n"))
  var repeats = 1

  @Option(
    help: ArgumentHelp(
      "Seconds that a point may take before its process is killed. (default: a minute and half a minute per "
        + "megapixel)", valueName: "seconds"))
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "Memory that all processes together may plan to use, such as 4GiB. (default: 80 % of what there is)",
      valueName: "bytes"))
  var memory: ByteCount?

  @Option(
    help: ArgumentHelp(
      "Memory that the system lets each process have; a point that needs more fails.", valueName: "bytes"))
  var memoryPerJob: ByteCount?

  @Option(
    help: ArgumentHelp(
      "Stop after this long, such as 90s, 2m or 1h, and report what is there: the headline's points come first. Exit code "
        + "4 where that is not all.", valueName: "time"))
  var budget: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "coarse: all images at the few qualities that the headline takes, then all at the others; image: one after the "
        + "other. The results are the same.", valueName: "coarse|image"))
  var order = SweepRequest.Order.coarseFirst

  @Flag(help: "Run with lowered priority.")
  var nice = false

  @Option(
    help: ArgumentHelp("Keep every encoded file below this folder.", valueName: "folder"),
    completion: .directory)
  var keepEncoded: String?

  /// Under Valgrind `/proc/self/exe`, which is started otherwise, is Valgrind.
  @Option(help: ArgumentHelp("The program that workers are started from.", visibility: .hidden))
  var workerProgram: String?

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024, not \(jobs).")
    }
    guard (1...1000).contains(repeats) else {
      throw ValidationError("--repeat takes a number from 1 to 1000, not \(repeats).")
    }
    if let timeout, !(timeout > 0 && timeout <= 604_800) {
      throw ValidationError("--timeout takes seconds, more than 0 and at most a week.")
    }
  }

  /// Sets what was chosen.
  func apply(to request: inout SweepRequest) {
    request.repeats = repeats
    request.budget = budget?.seconds
    request.order = order
    request.keptFiles = keepEncoded
    request.workers.jobs = jobs
    request.workers.timeout = timeout
    request.workers.memory = memory?.bytes
    request.workers.memoryPerJob = memoryPerJob?.bytes
    request.workers.isNice = nice
    request.workers.program = workerProgram
  }
}
