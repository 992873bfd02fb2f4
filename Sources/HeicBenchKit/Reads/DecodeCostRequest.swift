package import Model

/// What it costs to get pixels out of files: whole, small, in part, by every way in. Writes `decodes.csv`, `decode.md`
/// and `decode.json`, and keeps every read in the results folder's store.
public struct DecodeCostRequest: Sendable {
  /// How much of a picture is wanted.
  public enum Size: Sendable, Hashable {
    /// All pixels.
    case full
    /// All of the picture, with this longest side in pixels.
    case side(Int)
  }

  /// The score from which a route counts as honest unless another is asked for.
  package static let honestScore = ReadQuestion.honestScore

  /// Which files.
  public var images: ImageSource
  /// How much is wanted, in any order.
  public var sizes: [Size] = [.side(160), .side(320), .side(1024), .full]
  /// The part in the middle that is wanted; nil for none.
  public var region: PixelSize? = PixelSize(width: 512, height: 512)
  /// Codecs whose files of the same pictures are read as well; those of a build are read by it.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, which read files as they are and those of the codecs that name them, as `heic@new`
  /// does.
  public var builds: [LibraryBuild] = []
  /// Whether what a build has read is scored through the build's own decoder in place of the system's.
  package var scoresThroughBuilds = false
  /// The qualities of these files.
  public var qualities: [Quality] = [0.8]
  /// The SSIMULACRA 2 against the whole picture from which a route counts as honest.
  public var score = honestScore
  /// The connection that files come over, Mbit/s; nil leaves their way out.
  public var bandwidth: Double?
  /// How often each decode is timed.
  public var repeats = 3
  /// Whether files are read one at a time, so that wall times hold too.
  public var isExclusive = false
  /// What of earlier results in the folder is taken as it is.
  public var reuse = Reuse.all
  /// How the work is done.
  public var workers = WorkerSettings()
  /// What the page shows beside charts and tables: how many files of each kind.
  public var page = PageSettings()
  /// The folder of the results. What was read into it before is not read again.
  public var output: String

  /// Reads files, with the results in a folder.
  public init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Reads what is missing and writes the results. Blocks the calling thread.
  /// - Parameters:
  ///   - cancellation: stops the run early; what is read by then is kept.
  ///   - events: told what goes on, from several threads.
  /// - Throws: `HeicBenchError` where the request, the files or the results folder cannot be used, or no worker can be
  ///   started. A read that fails is no error.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try check()
      return try DecodeCostRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  private func check() throws {
    let largest = 65_535
    let sides = sizes.compactMap { if case .side(let side) = $0 { side } else { nil } }
    let parts = region.map { [$0.width, $0.height] } ?? []
    let problem: String? =
      if sizes.isEmpty, region == nil {
        "there is no size to read"
      } else if !(sides + parts).allSatisfy((1...largest).contains) {
        "sizes are 1 to \(largest) pixels"
      } else if !(1...1000).contains(repeats) {
        "decodes can be timed 1 to 1000 times, not \(repeats)"
      } else if !(score > 0 && score <= 100) {
        "a route is honest from a score between 0 and 100 on"
      } else if let bandwidth, !(bandwidth > 0 && bandwidth <= 1e6) {
        "a connection has more than 0 and at most 1000000 Mbit/s"
      } else if !codecs.isEmpty, qualities.isEmpty {
        "there is no quality to encode at"
      } else if output.isEmpty {
        "there is no folder for the results"
      } else {
        nil
      }
    if let problem { throw HeicBenchError(.usage, problem) }
  }

  /// What is wanted, as reads name it.
  package var wanted: [WantedPixels] {
    sizes.map { size in
      switch size {
      case .full: .all
      case .side(let side): .side(side)
      }
    }
  }
}
