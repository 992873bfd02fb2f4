import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import Workers

/// Reads the boxes of a file whose own tiles are reused unchanged, and keeps them for `RewrapTilesQuestion`.
struct OpenTilesQuestion: Question {
  var file: ImageFile

  struct Answer: Codable, Sendable {
    /// The size of the displayed picture, including padding before it.
    var width, height: Int
    /// Position of the picture's first pixel.
    var x, y: Int
    /// The side of the square tiles in pixels.
    var tileSize: Int
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Answer {
    session.close()
    let bytes = try file.identity.file(at: file.path)
    do throws(CodecError) {
      let tiles = try TileRewrap(bytes, maximumPixels: session.setup.limits.maximumPixels)
      session[TileRewrap.self] = tiles
      return Answer(
        width: tiles.width, height: tiles.height, x: tiles.origin.x, y: tiles.origin.y,
        tileSize: tiles.tileSize)
    } catch {
      throw Failure.unsupported("its tiles cannot be reused: \(error)")
    }
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ tiles: inout Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(width: tiles.width, height: tiles.height)
    try check.require(TilePyramid.tileSizes.contains(tiles.tileSize), "the size of its tiles")
    try check.require(
      (0..<tiles.width).contains(tiles.x) && (0..<tiles.height).contains(tiles.y), "where its picture begins")
  }
}

/// Writes tiles of the opened file as separate files in the worker's folder, named by their numbers.
struct RewrapTilesQuestion: Question {
  /// Places in the largest level.
  var places: [TilePyramid.Place]

  func reply(in session: WorkerSession, _: [UInt8]) throws -> ExportedTiles {
    guard let folder = session.setup.keepFolder, let tiles = session[TileRewrap.self] else {
      throw Refusal.noImage
    }
    let written = try places.enumerated().map { index, place in
      guard place.level == 0, (0..<tiles.columns).contains(place.column),
        (0..<tiles.rows).contains(place.row)
      else { throw Refusal("a tile that the file does not have") }
      return try TileExporter.keep("\(folder)/\(index)", session.setup.memoryLimit) {
        tiles.file(column: place.column, row: place.row)
      }
    }
    return ExportedTiles(tiles: written, encodeNanoseconds: 0, pyramidNanoseconds: 0)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ tiles: inout ExportedTiles, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try tiles.verify(count: places.count, by: check)
  }
}

/// Joins tiles into one grid file without decoding them. The paths follow the question, packed.
struct PackTilesQuestion: Question {
  var count: Int
  var columns: Int
  var width, height: Int?
  /// The most bytes that the file can have.
  var mostBytes: Int

  /// Why there is no file, and the number of the tile at fault.
  struct Refused: Codable, Sendable {
    var tile: Int?
    var reason: String
  }

  func reply(in _: WorkerSession, _ attachment: [UInt8]) throws -> Attached<Refused?> {
    var (paths, tiles) = (ByteUnpacker(attachment), [[UInt8]]())
    for tile in 0..<count {
      do throws(Failure) {
        let path = Result { try paths.part() }
        tiles.append(try SourceFile.reading { try SourceFile.bytes(at: path.get()) })
      } catch {
        return Attached(Refused(tile: tile, reason: " \(error.message)"), [])
      }
      guard tiles[tile].dropFirst(4).starts(with: "ftyp".utf8) else {
        return Attached(Refused(tile: tile, reason: " is not a HEIC file, so it cannot be packed"), [])
      }
    }
    let size = width.flatMap { width in height.map { (width, $0) } }
    do throws(TilePackingError) {
      return Attached(nil, try TilePacking.file(tiles, columns: columns, size: size))
    } catch {
      let reason = (error.file == nil ? "" : ": ") + error.reason
      return Attached(Refused(tile: error.file, reason: reason), [])
    }
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ answer: inout Attached<Refused?>, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    guard let refused = answer.body else { return }
    try check.require(refused.tile.map((0..<count).contains) ?? true, "a tile that was not named")
    answer.body?.reason = check.clean(refused.reason)
  }

  func attachment(of answer: Attached<Refused?>, by _: AnswerCheck) -> ClosedRange<Int> {
    answer.body == nil ? 1...max(1, mostBytes) : 0...0
  }
}
