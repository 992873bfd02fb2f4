package import Model
package import Pixels

/// Tiles of the open picture to write into the worker's folder. After the first of them the picture is open for this alone:
/// its rows are taken from the top, and rows of tiles are let go once a later one of `TilePyramid.strips` is asked for.
package struct TileExportRequest: Codable, Sendable {
  /// Codec and settings.
  package var variant: CodecVariant
  /// Position on the quality axis.
  package var quality: Quality
  /// How the picture is cut.
  package var pyramid: TilePyramid
  /// Black pixels in front of the picture, which belong to the pyramid.
  package var originX, originY: Int
  /// Levels that tiles are asked of, in this request and in those that follow: others are not made.
  package var levels: Int
  /// The tiles, in the order of `TilePyramid.strips`; empty for the whole of level 0 as one file, where the picture is open
  /// as a whole.
  package var places: [TilePyramid.Place]
  /// Whether tiles at the right and lower edge are padded to the full size and show no more than before.
  package var padsEdges: Bool
  /// Tiles that are encoded at the same time.
  package var threads: Int
  /// The name of the first file; the others count on.
  package var firstNumber: Int

  /// Asks for tiles.
  package init(
    variant: CodecVariant, quality: Quality, pyramid: TilePyramid, origin: (x: Int, y: Int),
    levels: Int, places: [TilePyramid.Place], padsEdges: Bool, threads: Int, firstNumber: Int
  ) {
    (self.variant, self.quality, self.pyramid) = (variant, quality, pyramid)
    (originX, originY) = origin
    self.levels = levels
    (self.places, self.padsEdges, self.threads, self.firstNumber) = (places, padsEdges, threads, firstNumber)
  }
}

/// What was written.
package struct ExportedTiles: Codable, Sendable {
  /// A file.
  package struct Tile: Codable, Sendable {
    /// Its length.
    package var bytes: Int
    /// SHA-256 of its content.
    package var hash: String
  }

  /// The files, in the order in which they were asked for.
  package var tiles: [Tile]
  /// CPU time of the encodes, nanoseconds.
  package var encodeNanoseconds: Int64
  /// CPU time of taking the picture's rows and making levels of them, nanoseconds.
  package var pyramidNanoseconds: Int64
  /// The worker's highest resident memory so far, bytes.
  package var peakBytes: Int?
}

/// A way to cut the open picture, to be measured.
package struct TilingRequest: Codable, Sendable {
  /// What is cut how.
  package var key: TilingKey
  /// Size of the viewport whose memory is measured, pixels.
  package var viewportWidth: Int
  package var viewportHeight: Int

  /// Asks for a measurement.
  package init(key: TilingKey, viewport: (width: Int, height: Int)) {
    self.key = key
    (viewportWidth, viewportHeight) = viewport
  }
}
