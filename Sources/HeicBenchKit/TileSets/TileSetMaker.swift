import CodecKit
import Model
import Pixels
import Reports
import Store
import Workers

/// Makes one picture's tiles in a worker. Used from one thread.
struct TileSetMaker {
  /// Pixels of the tiles made in one request: few enough to show progress and to keep what is done.
  private static let pixelsAtOnce = 8 << 20

  private let request: TilesRequest
  private let coding: TileCoding
  private let entry: CorpusEntry
  private let slot: WorkerSlot
  private let folder: OwnedFolder
  private let scratch: String
  private let events: @Sendable (TilesEvent) -> Void
  /// The tiles of the file; nil unless they are reused unchanged.
  private let rewrap: OpenTilesQuestion.Answer?
  private var set: TileSet
  private var effort = Effort()

  init(
    _ request: TilesRequest, _ coding: TileCoding, _ entry: CorpusEntry, _ name: String, _ slot: WorkerSlot,
    folder: OwnedFolder, scratch: String, _ events: @escaping @Sendable (TilesEvent) -> Void
  ) throws {
    (self.request, self.coding, self.entry, self.slot) = (request, coding, entry, slot)
    (self.folder, self.scratch, self.events) = (folder, scratch, events)
    rewrap = try request.rewraps ? Self.openTiles(entry, slot) : nil
    let size: (width: Int, height: Int)
    if let rewrap {
      size = (rewrap.width, rewrap.height)
    } else {
      let record = try Self.open(entry, slot, coding, byRows: Self.goesByRows(request))
      guard let width = record.preparedWidth, let height = record.preparedHeight else {
        throw Failure(kind: .source, message: "contains no picture")
      }
      size = (width, height)
    }
    let tileSize = rewrap?.tileSize ?? request.tileSize
    guard
      let pyramid = TilePyramid(
        width: size.width, height: size.height, tileSize: tileSize, overlap: request.overlap,
        end: request.layout.end)
    else { throw Failure.unsupported("it cannot be cut into tiles of \(tileSize) pixels") }
    set = TileSet(
      name: name, title: request.title, licence: request.licence,
      fileExtension: coding.codec.traits.fileExtension,
      recipe: TileSet.Recipe(
        source: entry.identity.contentHash, preparation: coding.preparation.canonicalSpelling,
        layout: request.layout, pyramid: pyramid, origin: [rewrap?.x ?? 0, rewrap?.y ?? 0],
        variant: coding.variant, quality: request.quality, libraries: coding.libraries,
        isRewrapped: rewrap != nil, padsEdges: request.padsEdges, isBaseOnly: request.isBaseOnly))
  }

  /// A file of the whole picture needs all rows at once, and so does padding before the picture.
  private static func goesByRows(_ request: TilesRequest) -> Bool {
    !request.rewraps && request.layout != .iiif
  }

  private static func openTiles(
    _ entry: CorpusEntry, _ slot: WorkerSlot
  ) throws -> OpenTilesQuestion.Answer {
    try answer(
      slot.ask(OpenTilesQuestion(file: entry.file), within: slot.seconds(entry.file)))
  }

  private static func answer<Answer>(_ response: Response<Answer>) throws -> Answer {
    switch response {
    case .answered(let answer): return answer
    case .failed(let failure): throw failure
    case .unusable(let record): throw record.problem ?? CancellationError() as any Error
    case .cancelled: throw CancellationError()
    }
  }

  /// Starts a worker and has it read the picture.
  /// - Parameter byRows: True if the picture may be decoded while tiles are written, so that errors in the file may show
  ///   only then. Builds get all pixels at once.
  @discardableResult
  private static func open(
    _ entry: CorpusEntry, _ slot: WorkerSlot, _ coding: TileCoding, byRows: Bool
  ) throws -> ImageRecord {
    let (file, build) = (entry.file, coding.variant.build)
    let response =
      try byRows && build == nil
      ? slot.open(file, by: OpenRowsQuestion(file: file)) : slot.openAgain(file, for: build)
    guard let record = response.value else {
      throw response.failure.map { $0 as any Error } ?? CancellationError()
    }
    return record
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

  mutating func make() throws {
    let known = try takeAway()
    try folder.refuseObstacles(among: set.paths, reads: false)
    try set.write(to: folder)
    set.tileBytes = set.levels.map { [Int](repeating: 0, count: $0.tileCount) }
    if rewrap != nil, let level = set.levels.first {
      // The file's own tiles are written before anything is decoded.
      try writeRewrapped(level)
      if set.levels.count > 1 || set.wholePath != nil { try Self.open(entry, slot, coding, byRows: false) }
    }
    do {
      try writeTiles(isKnown: known)
    } catch let failure as Failure where Self.goesByRows(request) && failure.kind == .source {
      // A broken file leaves nothing behind, even if only its last rows are broken.
      remove()
      throw failure
    }
    if let descriptor = request.layout.descriptor(
      set.name, of: set.recipe.pyramid, fileExtension: set.fileExtension, address: request.address)
    {
      try folder.write(descriptor.text, to: descriptor.path)
    }
    // A set that is marked as complete must be complete on disk, too.
    Disk.wait(for: folder.path)
    set.isComplete = true
    try set.write(to: folder)
    events(.made(picture: set.name, sentences: sentences))
  }

  /// Removes a set with the same name unless it is made in the same way. Returns true if there is one to continue.
  private func takeAway() throws -> Bool {
    try folder.refuseObstacles(among: [set.fileName])
    guard let old = TileSet.read(set.fileName, in: folder) else { return false }
    if old.recipe == set.recipe { return true }
    for path in [set.fileName] + old.paths { folder.remove(path) }
    return false
  }

  private func remove() {
    var folders: Set<String> = []
    for path in set.paths {
      folder.remove(path)
      var name = path[...]
      while let slash = name.lastIndex(of: "/") {
        name = name[..<slash]
        folders.insert(String(name))
      }
    }
    folder.remove(set.fileName)
    // Innermost folders first.
    for name in folders.sorted(by: >) { folder.removeFiles(in: name) }
  }

  private mutating func writeRewrapped(_ level: TilePyramid.Level) throws {
    let start = ContinuousClock.now
    let (pyramid, file) = (set.recipe.pyramid, entry.file)
    let places = pyramid.places(of: level)
    let batch = max(1, Self.pixelsAtOnce / (pyramid.tileSize * pyramid.tileSize))
    for first in stride(from: 0, to: places.count, by: batch) {
      let part = Array(places[first..<min(first + batch, places.count)])
      let question = RewrapTilesQuestion(places: part)
      let written = try Self.answer(slot.put(question, to: nil, within: slot.seconds(file)))
      try take(written.tiles, to: part.map(set.path))
      for (index, tile) in written.tiles.enumerated() { set.tileBytes[0][first + index] = tile.bytes }
      effort.rewrapped += part.count
    }
    effort.rewrapSeconds = (ContinuousClock.now - start) / .seconds(1)
  }

  private mutating func writeTiles(isKnown: Bool) throws {
    let missing = missing(isKnown: isKnown)
    // The worker makes the levels that the first request names, even if that request has none of their tiles.
    let levels = (missing.lazy.map(\.level).max() ?? 0) + 1
    if let whole = set.wholePath, !isKnown || folder.standing(of: whole) != .ours {
      _ = try write([], [whole], levels: levels)
    }
    let pyramid = set.recipe.pyramid
    let columns = pyramid.levels.map(\.columns)
    let batch = max(coding.configuration.jobs, Self.pixelsAtOnce / (pyramid.tileSize * pyramid.tileSize))
    for start in stride(from: 0, to: missing.count, by: batch) {
      let places = Array(missing[start..<min(start + batch, missing.count)])
      let bytes = try write(places, places.map(set.path), levels: levels)
      for (place, bytes) in zip(places, bytes) {
        set.tileBytes[place.level][place.row * columns[place.level] + place.column] = bytes
      }
    }
  }

  /// The tiles to make, in a possible order; existing ones are recorded.
  private mutating func missing(isKnown: Bool) -> [TilePyramid.Place] {
    var missing: [TilePyramid.Place] = []
    for strip in set.recipe.pyramid.strips(levels: set.levels.count) {
      let level = strip.level
      if level.index == 0, set.recipe.isRewrapped { continue }
      for column in 0..<level.columns {
        let place = TilePyramid.Place(level: level.index, column: column, row: strip.row)
        let path = set.path(place)
        if isKnown, folder.standing(of: path) == .ours,
          let bytes = try? FileSystem.status(of: Array("\(folder.path)/\(path)".utf8)).size
        {
          set.tileBytes[level.index][strip.row * level.columns + column] = bytes
          effort.kept += 1
        } else {
          missing.append(place)
        }
      }
    }
    return missing
  }

  /// Has a worker make files and moves them into place. Returns their lengths. Over all calls, tiles must come in the
  /// order of `TilePyramid.strips`, and `levels` must stay the same.
  /// - Parameter places: The tiles of these paths; empty for all of level 0 in one file.
  private mutating func write(
    _ places: [TilePyramid.Place], _ paths: [String], levels: Int
  ) throws -> [Int] {
    let pyramid = set.recipe.pyramid
    let whole = pyramid.width * pyramid.height
    let pixels = places.isEmpty ? whole : pyramid.tileSize * pyramid.tileSize
    let question = TileExportQuestion(
      recipe: set.recipe, levels: levels, places: places, threads: coding.configuration.jobs,
      picture: entry.identity.name)
    // Reaching these tiles may mean decoding the whole picture and making all levels.
    let seconds = coding.configuration.timeout(
      pixels: max(places.count, 1) * pixels + whole + whole / 8, repeats: 1)
    let response: Response<ExportedTiles>
    do { response = try slot.put(question, to: coding.variant.build, within: seconds) } catch {
      response = .failed(Failure(kind: .broken, message: "\(error)"))
    }
    guard let written = response.value else {
      guard let failure = response.failure else { throw CancellationError() }
      if failure.kind == .broken { try requireRoom(for: pixels) }
      throw failure
    }
    try take(written.tiles, to: paths)
    effort.made += paths.count
    effort.encodeNanoseconds += written.encodeNanoseconds
    effort.pyramidNanoseconds += written.pyramidNanoseconds
    effort.peakBytes = max(effort.peakBytes, written.peakBytes ?? 0)
    events(.progress(picture: set.name, tiles: effort.made + effort.kept + effort.rewrapped))
    return written.tiles.map(\.bytes)
  }

  /// Moves files of a worker into place.
  private func take(_ tiles: [ExportedTiles.Tile], to paths: [String]) throws {
    for (index, (path, tile)) in zip(paths, tiles).enumerated() {
      guard try folder.move("\(scratch)/\(index)", to: path, hash: tile.hash) else {
        throw Failure(kind: .broken, message: "a tile differs from what the worker reported")
      }
    }
  }

  /// Throws if there is no room for this many pixels. A worker reports only its own failed write, but a full disk
  /// affects all.
  private func requireRoom(for pixels: Int) throws {
    let bytes = [UInt8](repeating: 0, count: min(3 * pixels, 1 << 26))
    try OwnedFolder.prepare(bytes, at: "\(scratch)/room")
  }

  private var sentences: [String] {
    let (name, pyramid, origin) = (set.name, set.recipe.pyramid, set.recipe.origin)
    func seconds(_ nanoseconds: Int64) -> String { Numerals.fixed(Double(nanoseconds) / 1e9, decimals: 2) }
    let parts: [(Bool, String)] = [
      (
        effort.rewrapped > 0,
        "\(effort.rewrapped) tiles taken from the file in \(Numerals.fixed(effort.rewrapSeconds * 1000, decimals: 0)) ms"
      ),
      (
        effort.made > 0,
        "\(effort.made) made with \(seconds(effort.encodeNanoseconds)) s of CPU, "
          + "\(seconds(effort.pyramidNanoseconds)) s for the levels"
      ), (effort.kept > 0, "\(effort.kept) kept"),
      (effort.peakBytes > 0, "at most \(effort.peakBytes >> 20) MiB"),
    ]
    let bytes = set.tileBytes.joined().reduce(0, +)
    let sentence =
      "\(name): \(pyramid.width - origin[0])×\(pyramid.height - origin[1]) pixels, "
      + "\(Numerals.counted(set.levels.count, "level")), \(bytes) bytes in tiles of \(pyramid.tileSize); "
      + parts.filter(\.0).map(\.1).joined(separator: ", ") + "."
    guard origin != [0, 0] else { return [sentence] }
    return [
      sentence,
      "\(name): the picture is rotated, so its tiles begin \(origin[0]) columns and "
        + "\(origin[1]) rows before it; other viewers show this padding in black.",
    ]
  }
}
