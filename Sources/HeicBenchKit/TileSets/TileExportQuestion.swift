import CProcessShim
import CodecKit
import Model
import Pixels
import Workers

/// Writes tiles of the open picture into the worker's folder, named by their numbers. From the first question on, the
/// picture is open only for this: its rows are read from the top, and a row of tiles is released once a later one in
/// `TilePyramid.strips` is requested.
struct TileExportQuestion: Question {
  var recipe: TileSet.Recipe
  /// The levels that this question and the following ones request; others are not made.
  var levels: Int
  /// The tiles, in the order of `TilePyramid.strips`; empty for all of level 0 as one file, if the whole picture is
  /// open.
  var places: [TilePyramid.Place]
  var threads: Int
  /// The picture's name, for remarks.
  var picture: String

  func reply(in session: WorkerSession, _: [UInt8]) throws -> ExportedTiles {
    guard let folder = session.setup.keepFolder else { throw Refusal("there is no folder for tiles") }
    if session[TileExporter.self] == nil,
      let rows = session[PictureRows.self] ?? session.image.map({ PictureRows($0.raster) })
    {
      // From here on, only the exporter holds the rows.
      (session.image, session[PictureRows.self]) = (nil, nil)
      session[TileExporter.self] = try TileExporter(
        rows, self, folder: folder, memoryLimit: session.setup.memoryLimit)
    }
    guard
      let tiles = try session[TileExporter.self]?.write(self, registry: session.registry, peak: session.peak)
    else { throw Refusal.noImage }
    return tiles
  }

  func remarks(in answer: Answer) -> [String: [String]] { [picture: answer.remarks] }

  func verify(_ tiles: inout ExportedTiles, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try tiles.verify(count: max(1, places.count), by: check)
    tiles.remarks = try check.clean(tiles.remarks)
  }
}

struct ExportedTiles: Codable, Sendable {
  struct Tile: Codable, Sendable {
    var bytes: Int
    /// SHA-256.
    var hash: String
  }

  var tiles: [Tile]
  /// CPU time of the encodes, nanoseconds.
  var encodeNanoseconds: Int64
  /// CPU time for reading the picture's rows and making levels from them, nanoseconds.
  var pyramidNanoseconds: Int64
  /// The worker's highest resident memory so far, bytes.
  var peakBytes: Int?
  /// The reader's repairs in rows that were read while tiles were made.
  var remarks: [String] = []

  func verify(count: Int, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(tiles.count == count, "\(tiles.count) tiles")
    for tile in tiles {
      try check.require(Bound.bytes.contains(tile.bytes), "a tile's size")
      try check.check(hash: tile.hash)
    }
    for time in [encodeNanoseconds, pyramidNanoseconds] {
      try check.require(Bound.time.contains(time), "its times")
    }
    try check.check(peak: peakBytes)
  }
}

/// Encodes tiles of a picture into files as the picture's rows arrive, and holds at most one row of tiles per level.
struct TileExporter {
  private var rows: PictureRows
  private var strips: PyramidStrips
  /// The last row of tiles, and its pixels.
  private var current: (strip: TilePyramid.Strip, image: RasterImage)?
  private let folder: String
  private let memoryLimit: Int?

  init(
    _ rows: PictureRows, _ question: TileExportQuestion, folder: String, memoryLimit: Int?
  ) throws(Failure) {
    let (origin, pyramid) = (question.recipe.origin, question.recipe.pyramid)
    let (x, y) = (origin[0], origin[1])
    guard x >= 0, y >= 0, pyramid.width == rows.width + x, pyramid.height == rows.height + y else {
      throw Failure(kind: .source, message: "the picture does not have the planned size")
    }
    self.rows = rows
    if x > 0 || y > 0 {
      let image = try rows.whole()
      var canvas = RasterCanvas(width: pyramid.width, height: pyramid.height, like: image)
      let all = PixelRegion(x: 0, y: 0, width: image.width, height: image.height)
      if canvas.paste(image, from: all, x: x, y: y), let padded = canvas.image {
        self.rows = PictureRows(padded)
      }
    }
    do {
      strips = try PyramidStrips(
        pyramid, levels: question.levels, format: rows.format, profile: rows.profile)
    } catch {
      throw Failure(kind: .source, message: error.description)
    }
    (self.folder, self.memoryLimit) = (folder, memoryLimit)
    // Tiles and their files come and go by the thousand. Heap memory that one frees serves the next, whereas blocks
    // from the system request every page anew for each tile. Blocks smaller than this, the largest threshold that glibc
    // accepts, come from the heap.
    hb_fix_mapped_blocks(32 << 20)
  }

  mutating func write(
    _ question: TileExportQuestion, registry: CodecRegistry, peak: PeakMemory
  ) throws(Failure) -> ExportedTiles {
    let recipe = question.recipe
    let codec = try registry.usableCodec(recipe.variant.codec)
    let settings = EncodeSettings(variant: recipe.variant, quality: recipe.quality, traits: codec.traits)
    var exported = ExportedTiles(tiles: [], encodeNanoseconds: 0, pyramidNanoseconds: 0)
    if question.places.isEmpty {
      let image = try rows.whole()
      let begun = MonotonicClock.processCPU()
      exported.tiles = [
        try Self.keep("\(folder)/0", memoryLimit) { () throws(CodecError) in
          try codec.encode(image, settings)
        }
      ]
      exported.encodeNanoseconds = MonotonicClock.processCPU() - begun
    }
    while exported.tiles.count < question.places.count {
      let (done, start) = (exported.tiles.count, MonotonicClock.processCPU())
      let first = question.places[done]
      let (strip, image) = try reach(first)
      let begun = MonotonicClock.processCPU()
      let count = question.places[done...].prefix { $0.level == first.level && $0.row == first.row }.count
      let (folder, memoryLimit) = (folder, memoryLimit)
      exported.tiles += try PlainThread.values(count, by: question.threads) { (index) throws(Failure) in
        var region = recipe.pyramid.region(question.places[done + index], in: strip.level)
        region.y -= strip.pixels.lowerBound
        return try Self.keep("\(folder)/\(done + index)", memoryLimit) { () throws(CodecError) in
          try Self.tile(image, region, recipe, codec, settings)
        }
      }
      exported.pyramidNanoseconds += begun - start
      exported.encodeNanoseconds += MonotonicClock.processCPU() - begun
    }
    exported.peakBytes = peak.highest()
    exported.remarks = rows.remarks
    return exported
  }

  private mutating func reach(
    _ place: TilePyramid.Place
  ) throws(Failure) -> (strip: TilePyramid.Strip, image: RasterImage) {
    if let current, current.strip.level.index == place.level, current.strip.row == place.row {
      return current
    }
    // Frees the memory for the next row.
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
    throw Failure(kind: .broken, message: "the rows of level \(place.level) were already released")
  }

  private static func tile(
    _ image: RasterImage, _ region: PixelRegion, _ recipe: TileSet.Recipe, _ codec: any ImageCodec,
    _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8] {
    guard let part = image.cropped(to: region) else {
      throw .unsupported("a tile is outside its level")
    }
    let side = recipe.pyramid.tileSize
    guard recipe.padsEdges, let padded = part.extended(toWidth: side, height: side), padded != part else {
      return try codec.encode(part, settings)
    }
    return try codec.cutting(
      try codec.encode(padded, settings), toWidth: region.width, height: region.height)
  }

  static func keep(
    _ path: String, _ memoryLimit: Int?, _ encode: () throws(CodecError) -> [UInt8]
  ) throws(Failure) -> ExportedTiles.Tile {
    var stopwatch = Stopwatch(memoryLimit: memoryLimit)
    let bytes = try stopwatch.time(encode).value
    do {
      try ScratchFile.write(bytes, to: path)
    } catch {
      throw Failure(kind: .broken, message: "a tile could not be written: \(error)")
    }
    return ExportedTiles.Tile(bytes: bytes.count, hash: SHA256.hexDigest(of: bytes))
  }
}
