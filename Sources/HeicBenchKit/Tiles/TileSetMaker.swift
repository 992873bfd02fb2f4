import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import Reports
import Store
import Workers

struct TileSetMaker {
  /// Pixels of the tiles made in one request: few enough to show progress and to keep what is done.
  private static let pixelsAtOnce = 8 << 20

  private let recipe: TileRecipe
  private let entry: CorpusEntry
  private let name: String
  private let folder: OwnedFolder
  private let scratch: String
  private let cancellation: Cancellation
  private let events: @Sendable (TilesEvent) -> Void

  init(
    _ recipe: TileRecipe, _ entry: CorpusEntry, _ name: String, folder: OwnedFolder, scratch: String,
    _ cancellation: Cancellation, _ events: @escaping @Sendable (TilesEvent) -> Void
  ) {
    (self.recipe, self.entry, self.name, self.folder) = (recipe, entry, name, folder)
    (self.scratch, self.cancellation, self.events) = (scratch, cancellation, events)
  }

  static func read(_ file: String, in folder: OwnedFolder) -> TileSet? {
    guard let bytes = folder.beginning(of: file, count: 1 << 28) else { return nil }
    let set = try? JSONDecoder().decode(TileSet.self, from: Data(bytes))
    return set.flatMap { $0.isPossible && $0.fileName == file ? $0 : nil }
  }

  private struct Effort {
    var made = 0
    var kept = 0
    var rewrapped = 0
    var rewrapSeconds = 0.0
    var encodeNanoseconds: Int64 = 0
    var pyramidNanoseconds: Int64 = 0
    var peakBytes = 0
  }

  func make() throws {
    let rewrap = try recipe.rewraps ? readTiles() : nil
    let preparation = Preparation(
      for: [recipe.variant], registry: .standard, background: [255, 255, 255], downscale: recipe.downscale)
    let settings = TileExport.Settings(
      variant: recipe.variant, quality: recipe.quality, padsEdges: recipe.padsEdges,
      threads: recipe.jobs)
    var configuration = recipe.configuration
    configuration.keepFolder = scratch
    let export = TileExport(entry, settings, preparation: preparation, configuration: configuration)
    cancellation.perform { export.cancel() }
    // A file of the whole picture needs all rows at once.
    let byRows = !recipe.rewraps && recipe.layout != .iiif
    let size: (width: Int, height: Int)
    if let rewrap {
      size = (rewrap.width, rewrap.height)
    } else {
      let record = try export.open(byRows: byRows)
      guard let width = record.preparedWidth, let height = record.preparedHeight else {
        throw TileExport.Problem.failed(Failure(kind: .source, message: "holds no picture"))
      }
      size = (width, height)
    }
    var set = try TileSet(
      name: name, fileExtension: recipe.codec.traits.fileExtension,
      recipe: recipe(size, rewrap, preparation: preparation))
    let known = try takeAway(unless: set.recipe)
    try folder.refuseObstacles(among: set.paths, reads: false)
    try write(set)
    var effort = Effort()
    set.tileBytes = set.levels.map { [Int](repeating: 0, count: $0.tileCount) }
    if let rewrap, let level = set.levels.first {
      // The tiles of a phone's file are written before anything is decoded.
      try writeRewrapped(rewrap, level, &set, &effort)
      if set.levels.count > 1 || set.wholePath != nil { _ = try export.open(byRows: false) }
    }
    do {
      try writeTiles(&set, export, isKnown: known, &effort)
    } catch TileExport.Problem.failed(let failure) where byRows && failure.kind == .source {
      // A broken file leaves nothing behind, even if that shows only in its last rows.
      remove(set)
      throw TileExport.Problem.failed(failure)
    }
    let layout = recipe.layout
    if let descriptor = layout.descriptor(
      name, of: set.recipe.pyramid, fileExtension: set.fileExtension, address: recipe.address)
    {
      try folder.write(descriptor.text, to: descriptor.path)
    }
    // A set that is marked as complete is complete on the disk, too.
    Disk.wait(for: folder.path)
    set.isComplete = true
    try write(set)
    tell(set, effort)
  }

  private func readTiles() throws -> TileRewrap {
    do {
      let bytes = try SourceFile.bytes(at: entry.path)
      guard SHA256.hexDigest(of: bytes) == entry.identity.contentHash else {
        throw Failure(kind: .source, message: "the file changed while it was read")
      }
      return try TileRewrap(bytes, maximumPixels: recipe.images.limits.maximumPixels)
    } catch let error as CodecError {
      throw TileExport.Problem.unsupported("its tiles cannot be taken as they are: \(error)")
    } catch let failure as Failure {
      throw TileExport.Problem.failed(failure)
    }
  }

  private func recipe(
    _ size: (width: Int, height: Int), _ rewrap: TileRewrap?, preparation: Preparation
  ) throws -> TileSet.Recipe {
    let tileSize = rewrap?.tileSize ?? recipe.tileSize
    guard
      let pyramid = TilePyramid(
        width: size.width, height: size.height, tileSize: tileSize, overlap: recipe.overlap,
        end: recipe.layout.end)
    else { throw TileExport.Problem.unsupported("it cannot be cut into tiles of \(tileSize) pixels") }
    return TileSet.Recipe(
      source: entry.identity.contentHash, preparation: preparation.canonicalSpelling,
      layout: recipe.layout, pyramid: pyramid, origin: [rewrap?.origin.x ?? 0, rewrap?.origin.y ?? 0],
      variant: recipe.variant, quality: recipe.quality,
      libraries: recipe.libraries.canonicalSpelling, isRewrapped: rewrap != nil,
      padsEdges: recipe.padsEdges, isBaseOnly: recipe.isBaseOnly)
  }

  /// Removes a set of the same name unless it is made in the same way. Returns true if there is one to continue.
  private func takeAway(unless recipe: TileSet.Recipe) throws -> Bool {
    let file = TileSet.fileName(name)
    try folder.refuseObstacles(among: [file])
    guard folder.standing(of: file) == .ours, let old = Self.read(file, in: folder) else { return false }
    if old.recipe == recipe { return true }
    folder.remove(file)
    for path in old.paths { folder.remove(path) }
    return false
  }

  private func remove(_ set: TileSet) {
    var folders: Set<String> = []
    for path in set.paths {
      folder.remove(path)
      var parts = path.split(separator: "/").dropLast()
      while !parts.isEmpty {
        folders.insert(parts.joined(separator: "/"))
        parts.removeLast()
      }
    }
    folder.remove(set.fileName)
    // Innermost folders first.
    for name in folders.sorted(by: >) { folder.removeFiles(in: name) }
  }

  private func write(_ set: TileSet) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try folder.write(String(decoding: try encoder.encode(set), as: UTF8.self) + "\n", to: set.fileName)
  }

  private func writeRewrapped(
    _ rewrap: TileRewrap, _ level: TilePyramid.Level, _ set: inout TileSet, _ effort: inout Effort
  ) throws {
    let start = ContinuousClock.now
    for row in 0..<level.rows {
      for column in 0..<level.columns {
        let bytes = rewrap.file(column: column, row: row)
        let place = TilePyramid.Place(level: 0, column: column, row: row)
        let source = "\(scratch)/rewrapped"
        try OwnedFolder.prepare(bytes, at: source)
        try folder.move(source, to: set.path(place))
        set.tileBytes[0][row * level.columns + column] = bytes.count
        effort.rewrapped += 1
      }
    }
    let elapsed = (ContinuousClock.now - start).components
    effort.rewrapSeconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  private func writeTiles(
    _ set: inout TileSet, _ export: TileExport, isKnown: Bool, _ effort: inout Effort
  ) throws {
    let missing = missing(of: &set, isKnown: isKnown, &effort)
    // The worker makes the levels that the first request names, even if that is for none of their tiles.
    let levels = (missing.lazy.map(\.level).max() ?? 0) + 1
    if let whole = set.wholePath, !isKnown || folder.standing(of: whole) != .ours {
      _ = try write([], [whole], levels: levels, set, export, &effort)
    }
    let pyramid = set.recipe.pyramid
    let columns = pyramid.levels.map(\.columns)
    let batch = max(recipe.jobs, Self.pixelsAtOnce / (pyramid.tileSize * pyramid.tileSize))
    for start in stride(from: 0, to: missing.count, by: batch) {
      let places = Array(missing[start..<min(start + batch, missing.count)])
      let bytes = try write(places, places.map(set.path), levels: levels, set, export, &effort)
      for (place, bytes) in zip(places, bytes) {
        set.tileBytes[place.level][place.row * columns[place.level] + place.column] = bytes
      }
    }
  }

  /// The tiles to make, in a possible order; existing ones are recorded.
  private func missing(of set: inout TileSet, isKnown: Bool, _ effort: inout Effort) -> [TilePyramid.Place] {
    var missing: [TilePyramid.Place] = []
    for strip in set.recipe.pyramid.strips(levels: set.levels.count) {
      let level = strip.level
      if level.index == 0, set.recipe.isRewrapped { continue }
      for column in 0..<level.columns {
        let place = TilePyramid.Place(level: level.index, column: column, row: strip.row)
        let path = set.path(place)
        if isKnown, folder.standing(of: path) == .ours, let bytes = Self.length(folder.path + "/" + path) {
          set.tileBytes[level.index][strip.row * level.columns + column] = bytes
          effort.kept += 1
        } else {
          missing.append(place)
        }
      }
    }
    return missing
  }

  /// Has files made and moves them into place. Returns their lengths.
  private func write(
    _ places: [TilePyramid.Place], _ paths: [String], levels: Int, _ set: TileSet, _ export: TileExport,
    _ effort: inout Effort
  ) throws -> [Int] {
    let written: ExportedTiles
    let pyramid = set.recipe.pyramid
    do {
      let origin = (set.recipe.origin[0], set.recipe.origin[1])
      written = try export.write(places, of: pyramid, levels: levels, origin: origin)
    } catch {
      if case .failed(let failure) = error, failure.kind == .broken {
        try requireRoom(
          for: places.isEmpty ? pyramid.width * pyramid.height : pyramid.tileSize * pyramid.tileSize)
      }
      throw error
    }
    for (index, (path, tile)) in zip(paths, written.tiles).enumerated() {
      guard try folder.move("\(scratch)/\(index)", to: path, hash: tile.hash) else {
        throw TileExport.Problem.failed(
          Failure(kind: .broken, message: "a tile is not what the worker said that it wrote"))
      }
    }
    effort.made += paths.count
    effort.encodeNanoseconds += written.encodeNanoseconds
    effort.pyramidNanoseconds += written.pyramidNanoseconds
    effort.peakBytes = max(effort.peakBytes, written.peakBytes ?? 0)
    events(.progress(picture: name, tiles: effort.made + effort.kept + effort.rewrapped))
    return written.tiles.map(\.bytes)
  }

  /// Throws if there is no room for so many pixels: a worker's failed write is only its word, a full disk concerns all.
  private func requireRoom(for pixels: Int) throws {
    let bytes = [UInt8](repeating: 0, count: min(3 * pixels, 1 << 26))
    try OwnedFolder.prepare(bytes, at: "\(scratch)/room")
  }

  private static func length(_ path: String) -> Int? {
    try? FileSystem.status(of: Array(path.utf8)).size
  }

  private func tell(_ set: TileSet, _ effort: Effort) {
    let pyramid = set.recipe.pyramid
    let bytes = set.tileBytes.joined().reduce(0, +)
    var parts: [String] = []
    if effort.rewrapped > 0 {
      parts.append(
        "\(effort.rewrapped) tiles taken from the file in \(Numerals.fixed(effort.rewrapSeconds * 1000, decimals: 0)) ms"
      )
    }
    if effort.made > 0 {
      parts.append(
        "\(effort.made) made with \(seconds(effort.encodeNanoseconds)) s of CPU, "
          + "\(seconds(effort.pyramidNanoseconds)) s for the levels")
    }
    if effort.kept > 0 { parts.append("\(effort.kept) kept") }
    if effort.peakBytes > 0 { parts.append("at most \(effort.peakBytes >> 20) MiB") }
    var sentences = [
      "\(name): \(pyramid.width - set.recipe.origin[0])×\(pyramid.height - set.recipe.origin[1]) pixels, "
        + "\(Numerals.counted(set.levels.count, "level")), \(bytes) bytes in tiles of \(pyramid.tileSize); "
        + parts.joined(separator: ", ") + "."
    ]
    if set.recipe.origin != [0, 0] {
      sentences.append(
        "\(name): the picture is turned, so that its tiles begin \(set.recipe.origin[0]) columns and "
          + "\(set.recipe.origin[1]) rows before it; other viewers show these in black.")
    }
    events(.made(picture: name, sentences: sentences))
  }

  private func seconds(_ nanoseconds: Int64) -> String {
    Numerals.fixed(Double(nanoseconds) / 1e9, decimals: 2)
  }
}
