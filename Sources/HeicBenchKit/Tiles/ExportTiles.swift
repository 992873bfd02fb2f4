import Model
import Pixels
import Workers

/// Tiles of the open picture to write into the worker's folder. From the first request on, the picture is open for this
/// alone: its rows are read from the top, and rows of tiles are released once a later one of `TilePyramid.strips` is
/// requested.
struct TileExportRequest: Question {
  var variant: CodecVariant
  var quality: Quality
  var pyramid: TilePyramid
  /// Black pixels above and left of the picture that are part of the pyramid.
  var originX, originY: Int
  /// The levels that this and the following requests ask for; others are not made.
  var levels: Int
  /// The tiles, in the order of `TilePyramid.strips`; empty for all of level 0 as one file, if the picture is open as a
  /// whole.
  var places: [TilePyramid.Place]
  /// True to pad tiles at the right and lower edge to the full size; they show no more than before.
  var padsEdges: Bool
  var threads: Int
  /// The name of the first file; the others count up from it.
  var firstNumber: Int

  init(
    variant: CodecVariant, quality: Quality, pyramid: TilePyramid, origin: (x: Int, y: Int),
    levels: Int, places: [TilePyramid.Place], padsEdges: Bool, threads: Int, firstNumber: Int
  ) {
    (self.variant, self.quality, self.pyramid) = (variant, quality, pyramid)
    (originX, originY) = origin
    self.levels = levels
    (self.places, self.padsEdges, self.threads, self.firstNumber) = (places, padsEdges, threads, firstNumber)
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<ExportedTiles> {
    guard let folder = session.setup.keepFolder else { throw Refusal("there is no folder for tiles") }
    if session[TileExporter.self] == nil,
      let rows = session[PictureRows.self] ?? session.image.map({ PictureRows($0.raster) })
    {
      // From here on the exporter holds the only rows.
      (session.image, session[PictureRows.self]) = (nil, nil)
      session[TileExporter.self] = try TileExporter(
        rows, self, folder: folder, memoryLimit: session.setup.memoryLimit)
    }
    guard
      let tiles = try session[TileExporter.self]?.write(self, registry: session.registry, peak: session.peak)
    else { throw Refusal.noImage }
    return Reply(tiles)
  }

  func checked(
    _ tiles: ExportedTiles, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> ExportedTiles {
    try check.require(tiles.tiles.count == max(1, places.count), "\(tiles.tiles.count) tiles")
    for tile in tiles.tiles {
      try check.require(Bound.bytes.contains(tile.bytes), "a tile's size")
      try check.check(hash: tile.hash)
    }
    for time in [tiles.encodeNanoseconds, tiles.pyramidNanoseconds] {
      try check.require(Bound.time.contains(time), "its times")
    }
    try check.check(peak: tiles.peakBytes)
    return tiles
  }
}

struct ExportedTiles: Codable, Sendable {
  struct Tile: Codable, Sendable {
    var bytes: Int
    /// SHA-256 of its content.
    var hash: String
  }

  var tiles: [Tile]
  /// CPU time of the encodes, nanoseconds.
  var encodeNanoseconds: Int64
  /// CPU time of reading the picture's rows and making levels of them, nanoseconds.
  var pyramidNanoseconds: Int64
  /// The worker's highest resident memory so far, bytes.
  var peakBytes: Int?
}

extension WorkerSlot {
  /// Opens an image for `export`.
  /// - Parameters:
  ///   - build: The libraries that encode; nil for the system's. Builds get all pixels at once.
  ///   - byRows: True to let `export` decode the image row by row; defects of the file may then show there.
  func prepare(
    _ file: ImageFile, for build: String? = nil, byRows: Bool = false
  ) throws -> Response<ImageRecord> {
    byRows && build == nil ? try open(file, by: OpenRowsRequest(file: file)) : try openAgain(file, for: build)
  }

  func export(
    _ request: TileExportRequest, within seconds: Double
  ) throws -> Response<ExportedTiles> {
    try put(request, to: request.variant.build, within: seconds).answer()
  }
}
