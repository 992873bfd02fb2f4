import CodecKit
import Foundation
import Model
import Pixels
import Store
import Workers

/// A request to join separately encoded tiles into one HEIC or AVIF file without decoding them.
package struct TilePackRequest: Sendable {
  /// A folder of tiles whose names end in `COLUMN_ROW`, or tiles row by row.
  package var tiles: [InputPath]
  /// The file to write; an existing one is not replaced.
  package var output: String
  /// Tiles per row; nil if their names show it.
  package var columns: Int?
  /// The picture's size; nil for the size recorded when the tiles were made, or otherwise the one that the last tile
  /// implies.
  package var size: PixelSize?
  package var workers = WorkerSettings()

  package init(_ tiles: [InputPath], into output: String) {
    self.tiles = tiles
    self.output = output
  }

  /// Writes the file, completely or not at all.
  /// - Throws: `HeicBenchError` that names the tile that does not fit, or says why the file cannot be written.
  package func run() throws {
    try HeicBenchError.mapping {
      try Limits.columns.check(columns)
      let found = try find()
      let packed = try pack(found)
      // A typing error must not cost a file, so an existing one is kept.
      let url = URL(filePath: output)
      let folder = url.deletingLastPathComponent().path(percentEncoded: false)
      try OwnedFolder(folder.isEmpty ? "." : folder).give(packed, as: url.lastPathComponent)
    }
  }

  /// Tiles row by row, and the picture's size as recorded when they were made; nil if it was not recorded.
  private typealias Found = (files: [InputPath], columns: Int, size: PixelSize?)

  /// More than the boxes of a grid need besides its tiles.
  private static let boxes = (bytes: 1 << 16, perTile: 1 << 10)

  /// Has a worker read and join the tiles, which may come from a stranger.
  private func pack(_ found: Found) throws -> [UInt8] {
    var (paths, bytes) = (BytePacker(), 0)
    for file in found.files {
      paths.add(file.bytes)
      bytes += (try? FileSystem.status(of: file.bytes))?.size ?? 0
    }
    let size = size ?? found.size
    let question = PackTilesQuestion(
      count: found.files.count, columns: found.columns, width: size?.width, height: size?.height,
      mostBytes: bytes + Self.boxes.bytes + Self.boxes.perTile * found.files.count)
    var configuration = try workers.configuration(limits: ReadLimits())
    configuration.sharesFiles = false
    let pool = WorkerPool(configuration, sessions: 1)
    defer { pool.retire() }
    let seconds = configuration.timeout(pixels: 0, repeats: 1) + Double(bytes) / 1e6
    let response = try pool.sessions[0].ask(question, paths.bytes, within: seconds)
    guard let answer = response.value else {
      let reason = response.failure?.message ?? "interrupted"
      throw HeicBenchError(.noInput, "the tiles cannot be joined: \(reason)")
    }
    if let refused = answer.body {
      let name = refused.tile.map { "“\(String(decoding: found.files[$0].bytes, as: UTF8.self))”" } ?? ""
      throw HeicBenchError(.noInput, "\(name)\(refused.reason)")
    }
    return answer.bytes
  }

  /// Finds the tiles of a folder by their names, or takes the named files.
  private func find() throws -> Found {
    var isFolder: ObjCBool = false
    let name = tiles.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    if tiles.count == 1, FileManager.default.fileExists(atPath: name, isDirectory: &isFolder),
      isFolder.boolValue
    {
      return try Self.tiles(in: name)
    }
    guard let columns else {
      throw HeicBenchError(
        .usage, "set --columns to the number of tiles in a row (there are \(tiles.count) files)")
    }
    return (tiles, columns, nil)
  }

  private static func tiles(in folder: String) throws -> Found {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var places: [[Int]: String] = [:]
    // If names contain the level, this uses the largest one.
    var highest = -1
    for name in names.sorted() where !name.hasPrefix(".") {
      guard let dot = name.lastIndex(of: "."),
        ["heic", "avif", "heif"].contains(name[name.index(after: dot)...].lowercased())
      else { continue }
      let parts = name[..<dot].split(separator: "_").suffix(3).map { Int($0) ?? -1 }
      let level = parts.count == 3 ? parts[0] : -1
      let place = Array(parts.suffix(2))
      guard place.count == 2, place.allSatisfy({ (0..<256).contains($0) }) else {
        throw HeicBenchError(.noInput, "“\(folder)/\(name)” does not end in COLUMN_ROW, such as 0_0.heic")
      }
      guard level >= highest else { continue }
      if level > highest { places = [:] }
      highest = level
      if let other = places.updateValue(name, forKey: [place[1], place[0]]) {
        throw HeicBenchError(
          .noInput, "“\(folder)” contains two tiles for the same place, “\(other)” and “\(name)”")
      }
    }
    guard let columns = places.keys.map({ $0[1] + 1 }).max(), let rows = places.keys.map({ $0[0] + 1 }).max()
    else {
      throw HeicBenchError(.noInput, "“\(folder)” does not contain a tile named COLUMN_ROW.heic")
    }
    let files = try (0..<rows).flatMap { row in
      try (0..<columns).map { column in
        guard let name = places[[row, column]] else {
          throw HeicBenchError(
            .noInput,
            "“\(folder)” lacks the tile in column \(column), row \(row): \(columns)×\(rows) are needed")
        }
        return InputPath("\(folder)/\(name)")
      }
    }
    return (files, columns, places[[0, 0]].flatMap { pictureSize(of: $0, in: folder) })
  }

  /// The size that `tiles export` recorded for the picture whose largest level begins with this tile. A rotated
  /// picture's tiles have padding before the first column or row, which the tiles themselves do not record.
  private static func pictureSize(of first: String, in folder: String) -> PixelSize? {
    let level = URL(filePath: folder).standardizedFileURL
    let name = level.deletingLastPathComponent().lastPathComponent
    let root = level.deletingLastPathComponent().deletingLastPathComponent()
    guard let owned = try? OwnedFolder(root.path(percentEncoded: false)) else { return nil }
    let path = "\(name)/\(level.lastPathComponent)/\(first)"
    for stem in [name, String(name.dropLast("_files".count))] {
      let file = TileSet.fileName(stem)
      guard let set = TileSet.read(file, in: owned),
        set.path(TilePyramid.Place(level: 0, column: 0, row: 0)) == path
      else { continue }
      let (pyramid, origin) = (set.recipe.pyramid, set.recipe.origin)
      return PixelSize(width: pyramid.width - origin[0], height: pyramid.height - origin[1])
    }
    return nil
  }
}
