package import Model
package import Pixels

/// Tiles of the open picture to write into the worker's folder. From the first request on, the picture is open for this
/// alone: its rows are read from the top, and rows of tiles are released once a later one of `TilePyramid.strips` is
/// requested.
package struct TileExportRequest: Question {
  package var variant: CodecVariant
  package var quality: Quality
  package var pyramid: TilePyramid
  /// Black pixels above and left of the picture that are part of the pyramid.
  package var originX, originY: Int
  /// The levels that this and the following requests ask for; others are not made.
  package var levels: Int
  /// The tiles, in the order of `TilePyramid.strips`; empty for all of level 0 as one file, if the picture is open as a
  /// whole.
  package var places: [TilePyramid.Place]
  /// True to pad tiles at the right and lower edge to the full size; they show no more than before.
  package var padsEdges: Bool
  package var threads: Int
  /// The name of the first file; the others count up from it.
  package var firstNumber: Int

  package init(
    variant: CodecVariant, quality: Quality, pyramid: TilePyramid, origin: (x: Int, y: Int),
    levels: Int, places: [TilePyramid.Place], padsEdges: Bool, threads: Int, firstNumber: Int
  ) {
    (self.variant, self.quality, self.pyramid) = (variant, quality, pyramid)
    (originX, originY) = origin
    self.levels = levels
    (self.places, self.padsEdges, self.threads, self.firstNumber) = (places, padsEdges, threads, firstNumber)
  }

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<ExportedTiles> {
    guard let folder = session.setup.keepFolder else { throw Refusal("there is no folder for tiles") }
    if session.exporter == nil, let rows = session.rows ?? session.image.map({ PictureRows($0.raster) }) {
      // From here on the exporter holds the only rows.
      (session.image, session.rows) = (nil, nil)
      session.exporter = try TileExporter(
        rows, self, folder: folder, memoryLimit: session.setup.memoryLimit)
    }
    guard let tiles = try session.exporter?.write(self, registry: session.registry, peak: session.peak)
    else { throw Refusal.noImage }
    return Reply(tiles)
  }

  package func checked(
    _ tiles: ExportedTiles, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> ExportedTiles {
    try check.requireNone(attachment)
    try check.require(tiles.tiles.count == max(1, places.count), "\(tiles.tiles.count) tiles")
    for tile in tiles.tiles {
      try check.require(AnswerCheck.Bound.bytes.contains(tile.bytes), "a tile's size")
      try check.check(hash: tile.hash)
    }
    for time in [tiles.encodeNanoseconds, tiles.pyramidNanoseconds] {
      try check.require(AnswerCheck.Bound.time.contains(time), "its times")
    }
    try check.check(peak: tiles.peakBytes)
    return tiles
  }
}

package struct ExportedTiles: Codable, Sendable {
  package struct Tile: Codable, Sendable {
    package var bytes: Int
    /// SHA-256 of its content.
    package var hash: String
  }

  package var tiles: [Tile]
  /// CPU time of the encodes, nanoseconds.
  package var encodeNanoseconds: Int64
  /// CPU time of reading the picture's rows and making levels of them, nanoseconds.
  package var pyramidNanoseconds: Int64
  /// The worker's highest resident memory so far, bytes.
  package var peakBytes: Int?
}
