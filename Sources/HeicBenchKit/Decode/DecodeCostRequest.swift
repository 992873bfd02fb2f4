package import Model

/// The cost of getting pixels out of files: whole, reduced or in part, by every route. Writes `decodes.csv`,
/// `decode.md` and `decode.json`, and keeps every read in the results folder's store.
public struct DecodeCostRequest: Request {
  /// The wanted size of a picture.
  public enum Size: Sendable, Hashable {
    /// All pixels, at full size.
    case full
    /// The whole picture, with this longest side in pixels.
    case side(Int)
  }

  /// Default score from which a route counts as honest.
  package static let honestScore = ReadQuestion.honestScore

  /// The files to read.
  public var images: ImageSource
  /// The wanted sizes, in any order.
  public var sizes: [Size] = [.side(160), .side(320), .side(1024), .full]
  /// Size of the wanted part in the middle; nil for none.
  public var region: PixelSize? = PixelSize(width: 512, height: 512)
  /// Codecs whose files of the same pictures are read as well; files of a build are read by that build.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, which read the files as they are and those of codecs such as `heic@new`.
  public var builds: [LibraryBuild] = []
  /// True if a build's reads are scored through its own decoder instead of the system's.
  package var scoresThroughBuilds = false
  /// The qualities of the files of `codecs`.
  public var qualities: [Quality] = [0.8]
  /// The SSIMULACRA2 score against the whole picture from which a route counts as honest.
  public var score = honestScore
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

  private func check() throws(HeicBenchError) {
    try HeicBenchError.require(!sizes.isEmpty || region != nil, "there is no size to read")
    for case .side(let side) in sizes { try Limits.side.check(side) }
    for side in region.map({ [$0.width, $0.height] }) ?? [] { try Limits.side.check(side) }
    try Limits.repeats.check(repeats)
    try Limits.score.check(score)
    try Limits.bandwidth.check(bandwidth)
    try HeicBenchError.require(codecs.isEmpty || !qualities.isEmpty, "there is no quality to encode at")
    try HeicBenchError.requireFolder(output)
  }

  package var wanted: [WantedPixels] {
    sizes.map { size in
      switch size {
      case .full: .all
      case .side(let side): .side(side)
      }
    }
  }
}
