import ArgumentParser
import HeicBenchKit

struct SandboxOptions: ParsableArguments {
  @Flag(help: "Refuse to run, with exit code 74, if the system cannot fully sandbox processes.")
  var requireSandbox = false

  var settings: WorkerSettings {
    var settings = WorkerSettings()
    settings.requiresSandbox = requireSandbox
    return settings
  }
}

struct JobOptions: ParsableArguments {
  @OptionGroup var sandbox: SandboxOptions

  @Option(
    "The number of parallel processes, each with one encoder thread. (default: the number of cores)",
    value: "n", name: .shortAndLong, transform: Limits.jobs.parse)
  var jobs: Int?

  @Option(
    "The memory that all processes together may plan to use, such as 4GiB. (default: 80 % of the available memory)",
    value: "bytes")
  var memory: ByteCount?

  var settings: WorkerSettings {
    var settings = sandbox.settings
    settings.jobs = jobs
    settings.memory = memory?.bytes
    return settings
  }
}

/// The worker processes and their limits. None of them changes sizes or scores.
struct WorkerOptions: ParsableArguments {
  @OptionGroup var work: JobOptions

  @Option(
    "The time limit of an encode, read, cut or thumbnail in seconds, after which its process is killed. (default: a "
      + "minute plus half a minute per megapixel, at most an hour)", value: "seconds",
    transform: Limits.timeout.parse)
  var timeout: Double?

  @Option("The memory limit of each process; whatever needs more fails.", value: "bytes")
  var memoryPerJob: ByteCount?

  @Flag(help: "Run at low priority.")
  var nice = false

  /// Needed under Valgrind, where the default `/proc/self/exe` is Valgrind itself.
  @Option(help: ArgumentHelp("The program that workers run.", visibility: .hidden))
  var workerProgram: String?

  var settings: WorkerSettings {
    var settings = work.settings
    settings.timeout = timeout
    settings.memoryPerJob = memoryPerJob?.bytes
    settings.isNice = nice
    settings.program = workerProgram
    return settings
  }
}
