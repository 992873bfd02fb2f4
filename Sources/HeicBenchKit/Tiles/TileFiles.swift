import Foundation

/// Tiles as files, row by row.
struct TileFiles {
  /// A file by its path.
  struct File {
    var bytes: [UInt8]
    var name: String
  }

  let files: [File]
  let columns: Int

  /// Finds tiles: those of a folder by their names, or the files that were named.
  static func find(_ paths: [InputPath], columns: Int?) throws -> TileFiles {
    var isFolder: ObjCBool = false
    let names = paths.map { String(decoding: $0.bytes, as: UTF8.self) }
    if names.count == 1, FileManager.default.fileExists(atPath: names[0], isDirectory: &isFolder),
      isFolder.boolValue
    {
      return try inFolder(names[0])
    }
    let files = zip(paths, names).map { File(bytes: $0.bytes, name: $1) }
    guard let columns else {
      throw HeicBenchError(.usage, "say with --columns how many of the \(files.count) files make a row")
    }
    return TileFiles(files: files, columns: columns)
  }

  private static func inFolder(_ folder: String) throws -> TileFiles {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var places: [[Int]: String] = [:]
    // Where names tell the level, the largest is meant.
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
        throw HeicBenchError(.noInput, "“\(folder)” holds two tiles for one place, “\(other)” and “\(name)”")
      }
    }
    guard let columns = places.keys.map({ $0[1] + 1 }).max(), let rows = places.keys.map({ $0[0] + 1 }).max()
    else {
      throw HeicBenchError(.noInput, "“\(folder)” holds no tile named COLUMN_ROW.heic")
    }
    let files = try (0..<rows).flatMap { row in
      try (0..<columns).map { column in
        guard let name = places[[row, column]] else {
          throw HeicBenchError(
            .noInput,
            "“\(folder)” lacks the tile of column \(column), row \(row): \(columns)×\(rows) are needed")
        }
        let path = "\(folder)/\(name)"
        return File(bytes: Array(path.utf8), name: path)
      }
    }
    return TileFiles(files: files, columns: columns)
  }
}
