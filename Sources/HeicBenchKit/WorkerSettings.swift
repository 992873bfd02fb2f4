package import CodecKit
package import Model
package import Workers

/// Settings of the worker processes. None of them affects sizes or scores.
public struct WorkerSettings: Sendable {
  /// The number of workers at a time, each a process with one encoder thread; nil for one per core.
  public var jobs: Int?
  /// Seconds after which a point's process is killed; nil for 60 plus 30 per megapixel, but at most an hour, for each
  /// repeat.
  public var timeout: Double?
  /// The memory that all workers together may plan to use, bytes; nil for 80 % of the machine's memory.
  public var memory: Int?
  /// The memory that the system allows each worker, bytes; nil for the machine's memory.
  package var memoryPerJob: Int?
  /// True to refuse to work if the system does not provide a complete sandbox for workers.
  public var requiresSandbox = false
  /// True to run workers with lower priority.
  public var isNice = false
  /// The program that workers are started from, such as an installed `heicbench`; nil for this program, which must call
  /// ``HeicBench/serveIfWorker(codecs:)`` first.
  public var program: String?

  /// Creates settings for all cores, with limits that suit most images.
  public init() {}

  /// The runner's configuration.
  /// - Throws: `HeicBenchError` if no program can serve as a worker, or none with these limits; `WorkerStartError` if a
  ///   required sandbox is not available.
  package func configuration(
    limits: ReadLimits, externalMetrics: [ExternalMetric] = []
  ) throws -> RunnerConfiguration {
    try Limits.jobs.check(jobs)
    try Limits.timeout.check(timeout)
    if let memoryPerJob, memoryPerJob < Self.leastMemoryPerJob {
      throw HeicBenchError(
        .usage,
        "--memory-per-job must be at least \(Self.leastMemoryPerJob >> 20) MiB: a process cannot start with less"
      )
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
        "this program cannot serve as a worker: call HeicBench.serveIfWorker() before anything "
          + "else, or name an installed heicbench as the workers’ program")
    }
    configuration.requiresSandbox = requiresSandbox
    try FileLimit.require(workers: configuration.jobs)
    try configuration.checkSandbox()
    return configuration
  }

  /// The least memory in bytes with which a worker is useful: its libraries alone take 8 MiB, and with 10 to 24 MiB
  /// every point of a small image fails or runs out of time.
  static let leastMemoryPerJob = 32 << 20
}

extension RunnerConfiguration {
  /// The score of two identical images by each metric program, by identifier. Reports programs that fail, before that
  /// costs an hour.
  func identicalScores(
    _ cancellation: Cancellation, _ tell: (String) -> Void
  ) throws -> [String: Double] {
    guard !externalMetrics.isEmpty else { return [:] }
    let tried = try triedPrograms { cancellation.perform($0) }
    for (metric, reason) in tried.failed.sorted(by: { $0.key < $1.key }) {
      tell("“\(metric)” does not score two identical images: it \(reason)")
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
