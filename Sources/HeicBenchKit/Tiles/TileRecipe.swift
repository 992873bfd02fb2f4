import CodecKit
import Codecs
import Model
import Pixels
import Workers

/// A validated `TilesRequest`.
struct TileRecipe {
  let images: ImageSource
  let folder: String
  let layout: TileLayout
  let variant: CodecVariant
  let codec: any ImageCodec
  /// The codec's libraries, of its build if it has one.
  let libraries: [LibraryVersion]
  let quality: Quality
  let tileSize: Int
  let overlap: Int
  let downscale: Int
  let rewraps: Bool
  let isBaseOnly: Bool
  let padsEdges: Bool
  let address: String
  let jobs: Int
  let configuration: RunnerConfiguration

  /// Validates a request; throws `HeicBenchError` or `CodecError` if it is impossible.
  init(_ request: TilesRequest) throws {
    try Self.check(request)
    var configuration = try request.workers.configuration(limits: request.images.limits)
    let wanted = try request.codec ?? CodecRegistry.standard.variant(request.rewraps ? "heic" : "jpeg")
    let builds = try TriedBuilds(
      request.builds, namedBy: [wanted], program: configuration.workerExecutable)
    configuration.builds = builds.builds
    let described = try PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: true)
      .describe([wanted])
    variant = described.first?.variant ?? wanted
    guard let codec = CodecRegistry.standard.codec(variant.codec) else {
      throw HeicBenchError(.usage, "no codec “\(variant.codec)”")
    }
    self.codec = codec
    libraries = described.first?.libraries ?? codec.traits.libraries
    if variant.settings["grid"] ?? "0" != "0" {
      throw HeicBenchError(.usage, "a tile is no grid of tiles: leave out grid= from the codec")
    }
    (images, folder) = (request.images, request.output)
    layout =
      switch request.layout {
      case .dzi: .dzi
      case .iiif: .iiif
      case .names: .names
      }
    (quality, tileSize, overlap) = (request.quality, request.tileSize, request.overlap)
    (downscale, rewraps, isBaseOnly) = (request.downscale, request.rewraps, request.isBaseOnly)
    (padsEdges, address) = (request.padsEdges, request.address)
    self.configuration = configuration
    jobs = configuration.jobs
  }

  private static func check(_ request: TilesRequest) throws(HeicBenchError) {
    let (codec, side, overlap) = (request.codec?.codec, request.tileSize, request.overlap)
    try Limits.tileSide.check(side)
    try HeicBenchError.require(
      (0...side / 2).contains(overlap), "tiles share 0 pixels to half a tile, not \(overlap)")
    try HeicBenchError.require(
      overlap == 0 || request.layout != .iiif && !request.rewraps && !request.padsEdges,
      "an overlap goes with Deep Zoom and names, and without a file’s own or padded tiles")
    try Limits.downscale.check(request.downscale)
    try HeicBenchError.require(
      !request.rewraps || request.downscale == 1, "pictures cannot be shrunk where their own tiles are taken")
    try HeicBenchError.require(
      !request.padsEdges || ["heic", "avif"].contains(codec ?? (request.rewraps ? "heic" : "jpeg")),
      "HEIC and AVIF files alone can hold what they do not show")
    try HeicBenchError.require(
      !request.rewraps || codec ?? "heic" == "heic", "the tiles of a HEIC file are HEIC tiles")
    try HeicBenchError.require(!request.output.isEmpty, "there is no folder for the tiles")
  }
}
