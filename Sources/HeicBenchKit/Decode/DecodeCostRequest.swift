import Metrics
package import Model
import Store
import Workers

/// The cost of getting pixels out of files: whole, reduced or in part, by every route. Writes `decodes.csv`,
/// `decode.md` and `decode.json`, and keeps every read in the results folder's store.
public struct DecodeCostRequest: Request {
  /// The files to read.
  public var images: ImageSource
  /// The wanted sizes and parts, in any order.
  public var sizes: [WantedPixels] = [
    .side(160), .side(320), .side(1024), .all, .part(width: 512, height: 512),
  ]
  /// Codecs whose files of the same pictures are read as well; files of a build are read by that build.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, which read the files as they are and those of codecs such as `heic@new`.
  public var builds: [LibraryBuild] = []
  /// True if a build's reads are scored through its own decoder instead of the system's.
  package var scoresThroughBuilds = false
  /// The qualities of the files of `codecs`.
  public var qualities: [Quality] = [0.8]
  /// Identifiers of further metrics; SSIMULACRA2 and luma PSNR, by which routes are judged, are always scored.
  public var metrics: [String] = []
  /// Metrics that are programs.
  public var metricCommands: [MetricCommand] = []
  /// The SSIMULACRA2 score against the whole picture from which a route counts as honest.
  public var score = ReadQuestion.honestScore
  /// Bandwidth of the connection that files come over, Mbit/s; nil leaves the transfer out.
  public var bandwidth: Double?
  /// Number of timings of each decode.
  public var repeats = 3
  /// True if files are read one at a time, so that wall times hold too.
  public var isExclusive = false
  /// The earlier results in the folder that are kept.
  public var reuse = Reuse.all
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The page's contents besides charts and tables; `images` counts files of each kind.
  public var page = PageSettings()
  /// The folder of the results. Reads that it has are not repeated.
  public var output: String

  /// Creates a request to read files, with the results in a folder.
  public init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes the missing reads and writes the results.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try check()
      return try DecodeCostRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  private func check() throws {
    try HeicBenchError.require(!sizes.isEmpty, "there is no size to read")
    for size in sizes {
      switch size {
      case .all: break
      case .side(let side): try Limits.side.check(side)
      case .part(let width, let height): try [width, height].forEach(Limits.side.check)
      }
    }
    try Limits.repeats.check(repeats)
    try Limits.score.check(score)
    try Limits.bandwidth.check(bandwidth)
    try HeicBenchError.require(codecs.isEmpty || !qualities.isEmpty, "there is no quality to encode at")
    var columns = Set(DecodeColumns.all(furtherMetrics: []).map(\.name))
    for metric in try furtherMetrics() where !columns.insert(metric.column).inserted {
      throw HeicBenchError(
        .usage, "decodes.csv has a column “\(metric.column)” already; choose another name for the metric")
    }
    try HeicBenchError.requireFolder(output)
  }

  /// Traits of the metrics besides those of every read, in the order of their columns, by the names of their scores in
  /// the store: that of a program has a digest, so that scores of two programs are never confused.
  func furtherMetrics() throws -> [MetricTraits] {
    let own = try MetricSuite(metrics).traits.filter { !Figures.readMetrics.contains($0.id) }
    return own
      + metricCommands.map { command in
        var traits = command.traits
        traits.id = storedName(of: command)
        return traits
      }
  }

  func storedName(of command: MetricCommand) -> String {
    "\(command.name)@\(ProgramFile.digest(of: command.words))"
  }
}
