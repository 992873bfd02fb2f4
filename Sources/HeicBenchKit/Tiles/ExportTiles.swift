import CProcessShim
import CodecKit
import Foundation
import Model
import Pixels
import Workers

/// Tiles of the open picture to write into the worker's folder, named by their numbers. From the first request on, the picture is open for this
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
  /// Tiles encoded at the same time.
  var threads: Int

  func reply(in session: WorkerSession, _: [UInt8]) throws -> ExportedTiles {
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
    return tiles
  }

  func verify(_ tiles: inout ExportedTiles, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(tiles.tiles.count == max(1, places.count), "\(tiles.tiles.count) tiles")
    for tile in tiles.tiles {
      try check.require(Bound.bytes.contains(tile.bytes), "a tile's size")
      try check.check(hash: tile.hash)
    }
    for time in [tiles.encodeNanoseconds, tiles.pyramidNanoseconds] {
      try check.require(Bound.time.contains(time), "its times")
    }
    try check.check(peak: tiles.peakBytes)
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

/// Encodes tiles of a picture into files as the picture's rows come, holding at most one row of tiles of each level.
struct TileExporter {
  private var rows: PictureRows
  private var strips: PyramidStrips
  /// The last requested row of tiles, and its pixels.
  private var current: (strip: TilePyramid.Strip, image: RasterImage)?
  private let folder: String
  private let memoryLimit: Int?

  /// Starts with a picture. Throws if the pyramid does not match its size.
  init(
    _ rows: PictureRows, _ request: TileExportRequest, folder: String, memoryLimit: Int?
  ) throws(Failure) {
    let (x, y) = (request.originX, request.originY)
    let (width, height) = (request.pyramid.width, request.pyramid.height)
    guard x >= 0, y >= 0, width == rows.width + x, height == rows.height + y else {
      throw Failure(kind: .source, message: "the picture is not as large as it was planned to be")
    }
    self.rows = rows
    if x > 0 || y > 0 {
      guard let image = rows.image else {
        throw Failure(kind: .broken, message: "the picture is not open as a whole")
      }
      var canvas = RasterCanvas(width: width, height: height, like: image)
      let all = PixelRegion(x: 0, y: 0, width: image.width, height: image.height)
      if canvas.paste(image, from: all, x: x, y: y), let padded = canvas.image {
        self.rows = PictureRows(padded)
      }
    }
    do {
      strips = try PyramidStrips(
        request.pyramid, levels: request.levels, format: rows.format, profile: rows.profile)
    } catch {
      throw Failure(kind: .source, message: error.description)
    }
    (self.folder, self.memoryLimit) = (folder, memoryLimit)
    // Tiles and their files come and go by the thousand: heap memory that one leaves serves the next, unlike the
    // system's own blocks, which request each page of each tile anew.
    hb_fix_mapped_blocks(Self.mappedBlock)
  }

  /// Smaller blocks are parts of the heap; the most that glibc takes.
  private static let mappedBlock = 32 << 20

  mutating func write(
    _ request: TileExportRequest, registry: CodecRegistry, peak: PeakMemory
  ) throws(Failure) -> ExportedTiles {
    guard let codec = registry.codec(request.variant.codec) else {
      throw Failure(kind: .codec, message: "this program has no codec “\(request.variant.codec)”")
    }
    let settings = EncodeSettings(
      variant: request.variant, quality: request.quality, traits: codec.traits)
    var exported = ExportedTiles(tiles: [], encodeNanoseconds: 0, pyramidNanoseconds: 0)
    if request.places.isEmpty {
      guard let image = rows.image else {
        throw Failure(kind: .broken, message: "the picture is not open as a whole")
      }
      let begun = MonotonicClock.processCPU()
      let bytes = try Self.encode(memoryLimit) { () throws(CodecError) in try codec.encode(image, settings) }
      exported.tiles = [try Self.keep(bytes, at: "\(folder)/0")]
      exported.encodeNanoseconds = MonotonicClock.processCPU() - begun
    }
    while exported.tiles.count < request.places.count {
      let first = request.places[exported.tiles.count]
      let start = MonotonicClock.processCPU()
      let (strip, image) = try reach(first)
      let begun = MonotonicClock.processCPU()
      let count = request.places[exported.tiles.count...].prefix {
        $0.level == first.level && $0.row == first.row
      }.count
      let (done, folder, memoryLimit) = (exported.tiles.count, folder, memoryLimit)
      exported.tiles += try PlainThread.values(count, by: request.threads) { (index) throws(Failure) in
        var region = request.pyramid.region(request.places[done + index], in: strip.level)
        region.y -= strip.pixels.lowerBound
        let bytes = try Self.encode(memoryLimit) { () throws(CodecError) in
          try Self.tile(image, region, request, codec, settings)
        }
        return try Self.keep(bytes, at: "\(folder)/\(done + index)")
      }
      exported.pyramidNanoseconds += begun - start
      exported.encodeNanoseconds += MonotonicClock.processCPU() - begun
    }
    exported.peakBytes = peak.highest()
    return exported
  }

  /// Reads rows of the picture until a tile's row of tiles is there.
  private mutating func reach(
    _ place: TilePyramid.Place
  ) throws(Failure) -> (strip: TilePyramid.Strip, image: RasterImage) {
    if let current, current.strip.level.index == place.level, current.strip.row == place.row {
      return current
    }
    // Frees its memory for the next one.
    current = nil
    while let strip = strips.upcoming {
      if strips.missing > 0 { strips.append(try rows.take(strips.missing)) }
      let image: RasterImage?
      do { image = try strips.take() } catch {
        throw Failure(kind: .source, message: error.description)
      }
      if let image, strip.level.index == place.level, strip.row == place.row {
        current = (strip, image)
        return (strip, image)
      }
    }
    throw Failure(kind: .broken, message: "the rows of level \(place.level) were let go already")
  }

  private static func encode(
    _ memoryLimit: Int?, _ encode: () throws(CodecError) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    var stopwatch = Stopwatch(memoryLimit: memoryLimit)
    return try stopwatch.time(encode).value
  }

  private static func tile(
    _ image: RasterImage, _ region: PixelRegion, _ request: TileExportRequest, _ codec: any ImageCodec,
    _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8] {
    guard let part = image.cropped(to: region) else {
      throw .unsupported("a tile lies outside of its level")
    }
    let side = request.pyramid.tileSize
    guard request.padsEdges, let padded = part.extended(toWidth: side, height: side), padded != part else {
      return try codec.encode(part, settings)
    }
    return try codec.cutting(
      try codec.encode(padded, settings), toWidth: region.width, height: region.height)
  }

  private static func keep(_ bytes: [UInt8], at path: String) throws(Failure) -> ExportedTiles.Tile {
    do {
      try ScratchFile.write(bytes, to: path)
    } catch {
      throw Failure(kind: .broken, message: "a tile could not be written: \(error)")
    }
    return ExportedTiles.Tile(bytes: bytes.count, hash: SHA256.hexDigest(of: bytes))
  }
}
