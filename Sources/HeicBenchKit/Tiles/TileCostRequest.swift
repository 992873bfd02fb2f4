import Model

/// The cost of tiles: pictures cut at several tile sizes by several codecs, compared with the same pictures without
/// tiles. Writes `tiles.csv`, `tiles.md`, `tiles.html` and `tiles.json`, and keeps every cut in the folder's store.
public struct TileCostRequest: Request {
  /// The pictures to cut.
  public var images: ImageSource
  /// Codecs with their settings; empty for JPEG and HEIC.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, for codecs that name them, such as `heic@new`; tiles of a build are decoded and
  /// scored by its own libraries.
  public var builds: [LibraryBuild] = []
  /// Positions on the quality axis.
  public var qualities: [Quality] = [0.5, 0.8]
  /// Sides of tiles in pixels, even numbers from 64 to 8192.
  public var tileSizes = [256, 512, 1024]
  /// Pixels that neighbouring tiles share on each side.
  public var overlap = 0
  /// The area in view at a time.
  public var viewport = PixelSize(width: 1920, height: 1080)
  /// Factor by which pictures are shrunk in each direction first, in linear light, 1 to 64.
  public var downscale = 1
  /// True if pictures are cut one at a time, which disturbs CPU times least.
  public var isExclusive = false
  /// The earlier results in the folder that are kept.
  public var reuse = Reuse.all
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The folder of the results. Cuts that it has are not made again.
  public var output: String

  /// Creates a request to cut pictures, with the results in a folder.
  public init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes the missing cuts and writes the results.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try check()
      return try TileCostRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  /// Sides of tiles that can be compared, even numbers as grids need them.
  package static func isSide(_ side: Int) -> Bool { (64...8192).contains(side) && side.isMultiple(of: 2) }

  private func check() throws(HeicBenchError) {
    try HeicBenchError.require(!qualities.isEmpty, "there is no quality to cut at")
    try HeicBenchError.require(
      !tileSizes.isEmpty && tileSizes.allSatisfy(Self.isSide),
      "tiles have an even number of pixels from 64 to 8192")
    try HeicBenchError.require(
      (0...(tileSizes.min() ?? 0) / 2).contains(overlap),
      "tiles share 0 pixels to half the smallest tile, not \(overlap)")
    try Limits.downscale.check(downscale)
    for side in [viewport.width, viewport.height] { try Limits.side.check(side) }
    try HeicBenchError.requireFolder(output)
  }
}
