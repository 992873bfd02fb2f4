import ArgumentParser
import HeicBenchKit

/// The processes that do the work. Nothing in here changes sizes or scores.
struct WorkerOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Encodes side by side, each in a process of its own with one encoder thread. (default: the cores)",
      valueName: "n"))
  var jobs: Int?

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

  @Flag(help: "Run with lowered priority.")
  var nice = false

  /// Under Valgrind `/proc/self/exe`, which is started otherwise, is Valgrind.
  @Option(help: ArgumentHelp("The program that workers are started from.", visibility: .hidden))
  var workerProgram: String?

  func validate() throws {
    try Self.check(jobs: jobs)
    if let timeout, !(timeout > 0 && timeout <= 604_800) {
      throw ValidationError("--timeout takes seconds, more than 0 and at most a week.")
    }
  }

  /// Throws where `--jobs` cannot be.
  static func check(jobs: Int?) throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024, not \(jobs).")
    }
  }

  /// What was chosen.
  var settings: WorkerSettings {
    var settings = WorkerSettings()
    settings.jobs = jobs
    settings.timeout = timeout
    settings.memory = memory?.bytes
    settings.memoryPerJob = memoryPerJob?.bytes
    settings.isNice = nice
    settings.program = workerProgram
    return settings
  }
}
