import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Pixels
import Reports
import Store
import Sweep
import Workers

/// Cuts pictures into tiles below one folder, which holds nothing half-made under a final name: tiles are made in a
/// scratch folder and moved, and what was finished before is kept.
struct TileExportSession {
  /// What was asked for.
  struct Request {
    var images: [[UInt8]]
    var folder: String
    var layout: TileLayout
    var variant: CodecVariant
    var quality: Quality
    var tileSize: Int
    var overlap: Int
    var downscale: Int
    var limits: ReadLimits
    var jobs: Int
    var isRewrapped: Bool
    var isBaseOnly: Bool
    var padsEdges: Bool
    var address: String
    var isQuiet: Bool
  }

  private let request: Request
  private let interruption: Interruption
  private let folder: OwnedFolder
  private let codec: any ImageCodec

  init(_ request: Request) throws {
    self.request = request
    guard let codec = CodecRegistry.standard.codec(request.variant.codec) else {
      throw HeicBenchError(.usage, "no codec “\(request.variant.codec)”")
    }
    self.codec = codec
    interruption = try Interruption()
    try OutputFolder.make(request.folder)
    folder = try OwnedFolder(request.folder)
  }

  func run() throws -> ExitStatus {
    let files = try CorpusReader.find(CorpusSources(roots: request.images))
    let entries = CorpusReader(registry: .standard, limits: request.limits, cache: nil).read(files).entries
    guard !entries.isEmpty else {
      throw ImageInput.nothing(to: "cut")
    }
    try folder.refuseObstacles(among: [TilePage.fileName])
    defer { folder.removeScratch() }
    let scratch = try folder.makeScratch()
    var status = ExitStatus.success
    for (entry, name) in zip(entries, Self.names(entries)) {
      do {
        if let problem = entry.problem { throw TileExport.Problem.failed(problem) }
        try TileSetMaker(
          request, entry, name, folder: folder, scratch: scratch, codec: codec, interruption
        ).make()
      } catch TileExport.Problem.cancelled {
        return .interrupted
      } catch TileExport.Problem.unsupported(let reason) {
        StandardError.notice("“\(entry.identity.name)”: \(reason)")
        status = .someFailed
      } catch TileExport.Problem.failed(let failure) {
        StandardError.notice("“\(entry.identity.name)”: \(failure.message)")
        status = .someFailed
      }
    }
    try writePage()
    try folder.tidy()
    return status
  }

  /// All pictures of the folder, those of earlier calls too.
  private func writePage() throws {
    let sets = folder.names().filter { $0.hasSuffix(TileSet.fileSuffix) }.sorted().compactMap { name in
      folder.standing(of: name) == .ours ? TileSetMaker.read(name, in: folder) : nil
    }.filter { $0.isComplete && !$0.recipe.isBaseOnly }
    guard !sets.isEmpty else { return }
    try folder.write(try TilePage.html(sets), to: TilePage.fileName)
    if !request.isQuiet { StandardOutput.write("\(request.folder)/\(TilePage.fileName) shows them.\n") }
  }

  /// Names that differ and are safe in paths and addresses: what the files are called, without their endings.
  private static func names(_ entries: [CorpusEntry]) -> [String] {
    var taken: Set<String> = []
    return entries.map { entry in
      let file = String(entry.identity.name.split(separator: "/").last ?? "picture")
      let stem =
        file.split(separator: ".").count > 1
        ? String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)]) : file
      let safe = String(
        stem.map { $0.isLetter || $0.isNumber || "-_ ".contains($0) ? $0 : "-" }.prefix(100))
      let base = safe.isEmpty || safe.hasPrefix(".") ? "picture" : safe
      var (name, count) = (base, 1)
      while !taken.insert(name.lowercased()).inserted {
        count += 1
        name = "\(base)-\(count)"
      }
      return name
    }
  }
}

/// One picture's tiles.
struct TileSetMaker {
  /// Tiles that are made in one request, by their pixels: often enough to see how far it is, and to keep what is done.
  private static let pixelsAtOnce = 8 << 20

  private let request: TileExportSession.Request
  private let entry: CorpusEntry
  private let name: String
  private let folder: OwnedFolder
  private let scratch: String
  private let codec: any ImageCodec
  private let interruption: Interruption

  init(
    _ request: TileExportSession.Request, _ entry: CorpusEntry, _ name: String, folder: OwnedFolder,
    scratch: String, codec: any ImageCodec, _ interruption: Interruption
  ) {
    (self.request, self.entry, self.name, self.folder) = (request, entry, name, folder)
    (self.scratch, self.codec, self.interruption) = (scratch, codec, interruption)
  }

  /// The description of a set in a folder; nil where it cannot be read.
  static func read(_ file: String, in folder: OwnedFolder) -> TileSet? {
    guard let data = folder.beginning(of: file, count: 1 << 28) else { return nil }
    return try? JSONDecoder().decode(TileSet.self, from: data)
  }

  /// What making a set took.
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
    let rewrap = try request.isRewrapped ? readTiles() : nil
    let preparation = Preparation(
      for: [request.variant], registry: .standard, background: [255, 255, 255], downscale: request.downscale)
    let settings = TileExport.Settings(
      variant: request.variant, quality: request.quality, padsEdges: request.padsEdges,
      threads: request.jobs)
    var configuration = RunnerConfiguration(limits: request.limits)
    configuration.keepFolder = scratch
    let export = TileExport(entry, settings, preparation: preparation, configuration: configuration)
    interruption.cancellation.perform { export.cancel() }
    // The tiles of a phone's file are there before anything is decoded.
    let needsPixels = rewrap == nil || !request.isBaseOnly
    let size: (width: Int, height: Int)
    if let rewrap {
      size = (rewrap.width, rewrap.height)
    } else {
      let record = try export.open()
      guard let width = record.preparedWidth, let height = record.preparedHeight else {
        throw TileExport.Problem.failed(Failure(kind: .source, message: "holds no picture"))
      }
      size = (width, height)
    }
    var set = try TileSet(
      name: name, fileExtension: codec.traits.fileExtension,
      recipe: recipe(size, rewrap, preparation: preparation))
    let known = try takeAway(unless: set.recipe)
    try folder.refuseObstacles(among: set.paths, reads: false)
    try write(set)
    var effort = Effort()
    for level in set.levels {
      set.tileBytes.append([Int](repeating: 0, count: level.tileCount))
      if level.index == 0, let rewrap {
        try writeRewrapped(rewrap, level, &set, &effort)
        if needsPixels { _ = try export.open() }
      } else {
        try write(level, &set, export, isKnown: known, &effort)
      }
    }
    let layout = request.layout
    if let descriptor = layout.descriptor(
      name, of: set.recipe.pyramid, fileExtension: set.fileExtension, address: request.address)
    {
      try folder.write(descriptor.text, to: descriptor.path)
    }
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
      return try TileRewrap(bytes, maximumPixels: request.limits.maximumPixels)
    } catch let error as CodecError {
      throw TileExport.Problem.unsupported("its tiles cannot be taken as they are: \(error)")
    } catch let failure as Failure {
      throw TileExport.Problem.failed(failure)
    }
  }

  private func recipe(
    _ size: (width: Int, height: Int), _ rewrap: TileRewrap?, preparation: Preparation
  ) throws -> TileSet.Recipe {
    let tileSize = rewrap?.tileSize ?? request.tileSize
    guard
      let pyramid = TilePyramid(
        width: size.width, height: size.height, tileSize: tileSize, overlap: request.overlap,
        end: request.layout.end)
    else { throw TileExport.Problem.unsupported("it cannot be cut into tiles of \(tileSize) pixels") }
    return TileSet.Recipe(
      source: entry.identity.contentHash, preparation: preparation.canonicalSpelling,
      layout: request.layout, pyramid: pyramid, origin: [rewrap?.origin.x ?? 0, rewrap?.origin.y ?? 0],
      variant: request.variant, quality: request.quality,
      libraries: codec.traits.libraries.canonicalSpelling, isRewrapped: rewrap != nil,
      padsEdges: request.padsEdges, isBaseOnly: request.isBaseOnly)
  }

  /// Takes a set of the same name away unless it is made in the same way. Returns whether there is one to go on with.
  private func takeAway(unless recipe: TileSet.Recipe) throws -> Bool {
    let file = TileSet.fileName(name)
    try folder.refuseObstacles(among: [file])
    guard folder.standing(of: file) == .ours, let old = Self.read(file, in: folder) else { return false }
    if old.recipe == recipe { return true }
    folder.remove(file)
    for path in old.paths { folder.remove(path) }
    return false
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
        do { try Data(bytes).write(to: URL(filePath: source)) } catch {
          throw HeicBenchError(
            .resultsUnusable, "“\(source)” cannot be written: \(error.localizedDescription)")
        }
        try folder.move(source, to: set.path(place))
        set.tileBytes[0][row * level.columns + column] = bytes.count
        effort.rewrapped += 1
      }
    }
    let elapsed = (ContinuousClock.now - start).components
    effort.rewrapSeconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  private func write(
    _ level: TilePyramid.Level, _ set: inout TileSet, _ export: TileExport, isKnown: Bool,
    _ effort: inout Effort
  ) throws {
    var missing: [TilePyramid.Place] = []
    for place in set.recipe.pyramid.places(of: level) {
      let path = set.path(place)
      if isKnown, folder.standing(of: path) == .ours, let bytes = Self.length(folder.path + "/" + path) {
        set.tileBytes[level.index][place.row * level.columns + place.column] = bytes
        effort.kept += 1
      } else {
        missing.append(place)
      }
    }
    if level.index == 0, let whole = set.wholePath, !isKnown || folder.standing(of: whole) != .ours {
      _ = try write([], [whole], set, export, &effort)
    }
    let side = set.recipe.pyramid.tileSize
    let batch = max(request.jobs, Self.pixelsAtOnce / (side * side))
    for start in stride(from: 0, to: missing.count, by: batch) {
      let places = Array(missing[start..<min(start + batch, missing.count)])
      let bytes = try write(places, places.map(set.path), set, export, &effort)
      for (place, bytes) in zip(places, bytes) {
        set.tileBytes[level.index][place.row * level.columns + place.column] = bytes
      }
    }
  }

  /// Has files made and moves them to their places. Returns their lengths.
  private func write(
    _ places: [TilePyramid.Place], _ paths: [String], _ set: TileSet, _ export: TileExport,
    _ effort: inout Effort
  ) throws -> [Int] {
    let written = try export.write(
      places, of: set.recipe.pyramid, origin: (set.recipe.origin[0], set.recipe.origin[1]), firstNumber: 0)
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
    if !request.isQuiet, StandardError.isTerminal {
      StandardError.write("\r\(name): \(effort.made + effort.kept + effort.rewrapped) tiles")
    }
    return written.tiles.map(\.bytes)
  }

  private static func length(_ path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int
  }

  private func tell(_ set: TileSet, _ effort: Effort) {
    guard !request.isQuiet else { return }
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
    if StandardError.isTerminal { StandardError.write("\r") }
    StandardOutput.write(
      "\(name): \(pyramid.width - set.recipe.origin[0])×\(pyramid.height - set.recipe.origin[1]) pixels, "
        + "\(Numerals.counted(set.levels.count, "level")), \(bytes) bytes in tiles of \(pyramid.tileSize); "
        + parts.joined(separator: ", ") + ".\n")
    if set.recipe.origin != [0, 0] {
      StandardOutput.write(
        "\(name): the picture is turned, so that its tiles begin \(set.recipe.origin[0]) columns and "
          + "\(set.recipe.origin[1]) rows before it; other viewers show these in black.\n")
    }
  }

  private func seconds(_ nanoseconds: Int64) -> String {
    Numerals.fixed(Double(nanoseconds) / 1e9, decimals: 2)
  }
}
