package import CodecKit
import Model
import Sweep
package import Workers

/// How the work is done. Nothing in here changes sizes or scores.
public struct WorkerSettings: Sendable {
  /// Workers side by side, each a process with one encoder thread; nil for as many as there are cores.
  public var jobs: Int?
  /// Seconds that a point may take before its process is killed; nil for a minute and half a minute per megapixel,
  /// at most an hour.
  public var timeout: Double?
  /// Bytes that all workers together may plan to use; nil for 80 % of the memory there is.
  public var memory: Int?
  /// Bytes that the system lets each worker have; nil for no more than the machine has.
  package var memoryPerJob: Int?
  /// Whether nothing is done where the system gives no whole sandbox for workers.
  public var requiresSandbox = false
  /// Whether workers run with lowered priority.
  public var isNice = false
  /// The program that workers are started from, such as an installed `heicbench`; nil for this program, which has to
  /// call ``HeicBench/serveIfWorker()`` first.
  public var program: String?

  /// All cores, and the limits that suit most images.
  public init() {}

  /// The runner's configuration.
  /// - Throws: `HeicBenchError` where no program would serve as a worker, or not with these limits; `WorkerStartError`
  ///   where a sandbox is required that the system does not give.
  package func configuration(
    limits: ReadLimits, keepFolder: String? = nil, externalMetrics: [ExternalMetric] = []
  ) throws -> RunnerConfiguration {
    guard jobs.map({ (1...1024).contains($0) }) ?? true else {
      throw HeicBenchError(.usage, "there can be 1 to 1024 jobs, not \(jobs ?? 0)")
    }
    if let memoryPerJob, memoryPerJob < Self.leastMemoryPerJob {
      throw HeicBenchError(
        .usage,
        "--memory-per-job takes \(Self.leastMemoryPerJob >> 20) MiB and more: with less no process can begin")
    }
    var configuration = RunnerConfiguration(
      timeout: timeout, memoryPerJob: memoryPerJob, niceness: isNice ? 10 : 0, keepFolder: keepFolder,
      limits: limits, externalMetrics: externalMetrics)
    if let jobs { configuration.jobs = jobs }
    if let memory { configuration.memoryBudget = memory }
    if let program {
      configuration.workerExecutable = program
    } else if !HeicBench.servesAsWorker {
      throw HeicBenchError(
        .usage,
        "workers would be this program, which does not serve as one: call HeicBench.serveIfWorker() before anything "
          + "else, or name an installed heicbench as the workers’ program")
    }
    configuration.requiresSandbox = requiresSandbox
    try configuration.checkSandbox()
    return configuration
  }

  /// Bytes with which a worker can begin and do something: its libraries alone take 8 MiB, and with 10 to 24 each point of
  /// a small image fails or runs out of time.
  package static let leastMemoryPerJob = 32 << 20
}
