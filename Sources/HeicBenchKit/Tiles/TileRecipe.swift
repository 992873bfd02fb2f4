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
    if let problem = Self.problem(request) { throw HeicBenchError(.usage, problem) }
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

  private static func problem(_ request: TilesRequest) -> String? {
    let codec = request.codec?.codec
    if !TilePyramid.tileSizes.contains(request.tileSize) {
      let sizes = TilePyramid.tileSizes
      return "tiles have \(sizes.lowerBound) to \(sizes.upperBound) pixels, not \(request.tileSize)"
    }
    if !(0...request.tileSize / 2).contains(request.overlap) {
      return "tiles share 0 pixels to half a tile, not \(request.overlap)"
    }
    if request.overlap > 0, request.layout == .iiif || request.rewraps || request.padsEdges {
      return "an overlap goes with Deep Zoom and names, and without a file’s own or padded tiles"
    }
    if !(1...64).contains(request.downscale) || (request.rewraps && request.downscale != 1) {
      return "pictures can be shrunk 1 to 64 times, and not where their own tiles are taken"
    }
    if request.padsEdges, !["heic", "avif"].contains(codec ?? (request.rewraps ? "heic" : "jpeg")) {
      return "HEIC and AVIF files alone can hold what they do not show"
    }
    if request.rewraps, let codec, codec != "heic" { return "the tiles of a HEIC file are HEIC tiles" }
    if request.output.isEmpty { return "there is no folder for the tiles" }
    return nil
  }
}
