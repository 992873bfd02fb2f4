package import CodecKit
package import Model
package import Workers

/// Settings of the worker processes. None of them changes sizes or scores.
public struct WorkerSettings: Sendable {
  /// Number of workers side by side, each a process with one encoder thread; nil for one per core.
  public var jobs: Int?
  /// Seconds per point until its process is killed; nil for 60 plus 30 per megapixel, at most an hour, times the
  /// repeats.
  public var timeout: Double?
  /// Bytes that all workers together may plan to use; nil for 80 % of the machine's memory.
  public var memory: Int?
  /// Bytes that the system lets each worker have; nil for the machine's memory.
  package var memoryPerJob: Int?
  /// True if work is refused where the system provides no complete sandbox for workers.
  public var requiresSandbox = false
  /// True if workers run with lowered priority.
  public var isNice = false
  /// The program that workers are started from, such as an installed `heicbench`; nil for this program, which must call
  /// ``HeicBench/serveIfWorker(codecs:)`` first.
  public var program: String?

  /// Creates settings for all cores, with limits that suit most images.
  public init() {}

  /// The runner's configuration.
  /// - Throws: `HeicBenchError` if no program would serve as a worker, or not with these limits; `WorkerStartError` if
  ///   a required sandbox is not available.
  package func configuration(
    limits: ReadLimits, externalMetrics: [ExternalMetric] = []
  ) throws -> RunnerConfiguration {
    try Limits.jobs.check(jobs)
    try Limits.timeout.check(timeout)
    if let memoryPerJob, memoryPerJob < Self.leastMemoryPerJob {
      throw HeicBenchError(
        .usage,
        "--memory-per-job takes \(Self.leastMemoryPerJob >> 20) MiB and more: with less no process can begin")
    }
    var configuration = RunnerConfiguration(timeout: timeout, limits: limits)
    configuration.memoryPerJob = memoryPerJob
    configuration.niceness = isNice ? 10 : 0
    configuration.externalMetrics = externalMetrics
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
    try FileLimit.require(workers: configuration.jobs)
    try configuration.checkSandbox()
    return configuration
  }

  /// The least memory in bytes with which a worker can do something: its libraries alone take 8 MiB, and with 10 to 24
  /// MiB each point of a small image fails or runs out of time.
  static let leastMemoryPerJob = 32 << 20
}

extension RunnerConfiguration {
  /// The score of two identical images by each metric that is a program, by identifier. Tells which programs fail, before
  /// that costs an hour.
  func identicalScores(
    _ cancellation: Cancellation, _ tell: (String) -> Void
  ) throws -> [String: Double] {
    guard !externalMetrics.isEmpty else { return [:] }
    let tried = try triedPrograms { cancellation.perform($0) }
    for (metric, reason) in tried.failed.sorted(by: { $0.key < $1.key }) {
      tell("“\(metric)” gives no score for two identical images: it \(reason)")
    }
    return tried.identical
  }
}

/// A user's own metric: a program that prints a score for a pair of image files.
public struct MetricCommand: Sendable, Hashable {
  /// The name of its scores: lower-case letters, digits, `-` and `_`, a letter first.
  public var name: String
  /// The program and its arguments; `{reference}` and `{distorted}` stand for the paths of two PNG files.
  public var words: [String]
  /// True if larger scores are better; nil if unknown.
  public var higherIsBetter: Bool?

  /// Creates a metric from a program.
  public init(name: String, words: [String], higherIsBetter: Bool? = nil) {
    self.name = name
    self.words = words
    self.higherIsBetter = higherIsBetter
  }

  package var metric: ExternalMetric { ExternalMetric(id: name, words: words) }

  /// Traits of the scores; higher is assumed to be better if that is unknown.
  package var traits: MetricTraits {
    let column = name.map { $0 == "-" ? "_" : String($0) }.joined()
    var traits = MetricTraits(
      id: name, column: column, title: name, higherIsBetter: higherIsBetter ?? true, decimals: 4)
    traits.isDirectionAssumed = higherIsBetter == nil ? true : nil
    return traits
  }
}
