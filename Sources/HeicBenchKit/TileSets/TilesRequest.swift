import CodecKit
import Codecs
import Model
import Reports
import Store
import Workers

package enum TilesEvent: Sendable, Hashable {
  /// The number of a picture's tiles that exist.
  case progress(picture: String, tiles: Int)
  case made(picture: String, sentences: [String])
  case failed(picture: String, reason: String)
  /// A remark on the files, as a sentence.
  case notice(String)
}

/// Makes tiles of pictures at halving sizes in one folder, with a page to view them. Only finished files get their
/// final names, and later calls keep them.
package struct TilesRequest: Request {
  package var images: ImageSource
  package var output: String
  package var layout = TileLayout.dzi
  /// The codec of the tiles; nil for JPEG, or for the file's codec if its own tiles are reused.
  package var codec: CodecVariant?
  /// Other builds of the libraries. The codec names one of them, as in `heic@new`; the system's libraries decode the
  /// pictures.
  package var builds: [LibraryBuild] = []
  package var quality: Quality = 0.8
  /// The side of a tile in pixels, without overlap.
  package var tileSize = 512
  /// Pixels that neighbouring tiles share on each side.
  package var overlap = 0
  /// The factor by which pictures are first reduced in each direction, in linear light, 1 to 64.
  package var downscale = 1
  /// True to reuse the coded tiles of a HEIC grid for the largest level.
  package var rewraps = false
  /// True to make only the largest level, without a page.
  package var isBaseOnly = false
  /// True to code tiles at the right and lower edges at full size.
  package var padsEdges = false
  /// For IIIF: the address at which the folder will be served, with a final slash.
  package var address = ""
  /// The heading of the pictures on the page; nil for their names.
  package var title: String?
  /// A line below the pictures that credits them.
  package var licence: String?
  /// Worker settings; `jobs` is the number of tiles encoded at a time.
  package var workers = WorkerSettings()

  package init(images: ImageSource, output: String) {
    (self.images, self.output) = (images, output)
  }

  /// Makes what is missing, so repeating a request continues it. Tiles get their names once they are finished, and are
  /// then kept.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (TilesEvent) -> Void = { _ in }
  ) throws -> TilesOutcome {
    try HeicBenchError.mapping {
      try check()
      let coding = try TileCoding(self)
      try OutputFolder.make(output)
      let folder = try OwnedFolder(output)
      defer { cancellation.release() }
      return try make(coding, in: folder, cancellation, events)
    }
  }

  private func make(
    _ coding: TileCoding, in folder: OwnedFolder, _ cancellation: Cancellation,
    _ events: @escaping @Sendable (TilesEvent) -> Void
  ) throws -> TilesOutcome {
    let entries = try images.listing(to: "cut", by: WorkerDescriber(coding.configuration)) {
      events(.notice($0))
    }.entries
    try folder.refuseObstacles(among: [TilePage.fileName])
    defer { folder.removeScratch() }
    var coding = coding
    let scratch = try folder.makeScratch()
    coding.configuration.keepFolder = scratch
    var failed = 0
    let pool = WorkerPool(coding.configuration, preparation: coding.preparation, sessions: 1)
    cancellation.perform { pool.cancel() }
    for (entry, name) in zip(entries, names(entries, beside: Self.sets(in: folder))) {
      defer { pool.retire() }
      do {
        if let problem = entry.problem { throw problem }
        var maker = try TileSetMaker(
          self, coding, entry, name, pool.sessions[0], folder: folder, scratch: scratch, events)
        try maker.make()
      } catch let failure as Failure {
        events(.failed(picture: entry.identity.name, reason: failure.message))
        failed += 1
      } catch {
        // Tiles that the page shows may be gone already.
        _ = try? writePage(in: folder)
        guard error is CancellationError else { throw error }
        return TilesOutcome(page: nil, failed: failed, wasInterrupted: true)
      }
    }
    coding.configuration.tellRemarks { events(.notice($0)) }
    let page = try writePage(in: folder)
    return TilesOutcome(page: page, failed: failed, wasInterrupted: false)
  }

  /// Writes the page of all pictures in the folder, including those of earlier calls. Returns its path; nil if there is
  /// nothing to show.
  private func writePage(in folder: OwnedFolder) throws -> String? {
    let sets = Self.sets(in: folder).filter { $0.isComplete && !$0.recipe.isBaseOnly }
    guard !sets.isEmpty else {
      // An earlier page would show tiles that are gone.
      folder.remove(TilePage.fileName)
      return nil
    }
    try folder.write(try TilePage.html(sets), to: TilePage.fileName)
    return "\(output.hasSuffix("/") ? String(output.dropLast()) : output)/\(TilePage.fileName)"
  }

  private static func sets(in folder: OwnedFolder) -> [TileSet] {
    folder.names().filter { $0.hasSuffix(TileSet.fileSuffix) }.sorted().compactMap {
      TileSet.read($0, in: folder)
    }
  }

  /// Distinct names from the files' names, with numbers if needed. The name of existing tiles stays reserved for their
  /// picture.
  private func names(_ entries: [CorpusEntry], beside sets: [TileSet]) -> [String] {
    let known = Dictionary(grouping: sets, by: \.recipe.source)
    var taken = Set(sets.map { $0.name.lowercased() })
    var given: Set<String> = []
    return entries.map { entry in
      let base = Self.base(of: entry)
      let own = known[entry.identity.contentHash]?.map(\.name).first { name in
        let rest = name.dropFirst(base.count)
        return name.hasPrefix(base) && (rest.isEmpty || rest.first == "-" && Int(rest.dropFirst()) != nil)
          && !given.contains(name)
      }
      var (name, count) = (own ?? base, 1)
      while own == nil, !taken.insert(name.lowercased()).inserted {
        count += 1
        name = "\(base)-\(count)"
      }
      given.insert(name)
      return name
    }
  }

  /// The file's name without its extension, safe in paths and addresses. File systems allow names of 255 bytes; some of
  /// these are reserved for numbers and extensions.
  private static func base(of entry: CorpusEntry) -> String {
    let file = entry.identity.name.split(separator: "/").last ?? "picture"
    let stem =
      file.split(separator: ".").count > 1 ? file[..<(file.lastIndex(of: ".") ?? file.endIndex)] : file
    var safe = String(stem.map { $0.isLetter || $0.isNumber || "-_ ".contains($0) ? $0 : "-" }.prefix(100))
    while safe.utf8.count > 200 { safe.removeLast() }
    return safe.isEmpty || safe.hasPrefix(".") ? "picture" : safe
  }

  private func check() throws(HeicBenchError) {
    let (codec, side, overlap) = (self.codec?.codec, tileSize, overlap)
    try Limits.tileSide.check(side)
    try HeicBenchError.require(
      (0...side / 2).contains(overlap),
      "--overlap \(overlap): tiles can share from 0 pixels to half a tile, \(side / 2)")
    try HeicBenchError.require(
      overlap == 0 || layout != .iiif && !rewraps && !padsEdges,
      "--overlap works with the layouts dzi and names, but not with --rewrap or --pad")
    try Limits.downscale.check(downscale)
    try HeicBenchError.require(
      !rewraps || downscale == 1, "--rewrap keeps the file's own tiles, so it cannot downscale")
    try HeicBenchError.require(
      !padsEdges || ["heic", "avif"].contains(codec ?? (rewraps ? "heic" : "jpeg")),
      "--pad is for HEIC and AVIF tiles: other formats cannot store hidden pixels")
    try HeicBenchError.require(
      !rewraps || codec ?? "heic" == "heic", "--rewrap gives HEIC tiles, so --codec must be heic")
    try HeicBenchError.require(!output.isEmpty, "name a folder for the tiles")
  }
}

/// The codec, the libraries and the limits of a request for tiles.
struct TileCoding {
  let variant: CodecVariant
  let codec: any ImageCodec
  /// The codec's libraries, from its build if it has one.
  let libraries: String
  let preparation: Preparation
  /// The configuration's `keepFolder` receives the tiles, named by their numbers.
  var configuration: RunnerConfiguration

  init(_ request: TilesRequest) throws {
    var configuration = try request.workers.configuration(limits: request.images.limits)
    let wanted = try request.codec ?? CodecRegistry.standard.variant(request.rewraps ? "heic" : "jpeg")
    let builds = try TriedBuilds(request.builds, namedBy: [wanted], program: configuration.workerExecutable)
    configuration.builds = builds.builds
    let described = try PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: true)
      .describe([wanted])
    variant = described.first?.variant ?? wanted
    guard let codec = CodecRegistry.standard.codec(variant.codec) else {
      throw HeicBenchError(.usage, "no codec “\(variant.codec)”")
    }
    if variant.isGrid {
      throw HeicBenchError(.usage, "a tile cannot be a grid: drop grid= from the codec")
    }
    libraries = (described.first?.libraries ?? codec.traits.libraries).canonicalSpelling
    preparation = Preparation(
      for: [variant], registry: .standard, background: [255, 255, 255], downscale: request.downscale)
    (self.codec, self.configuration) = (codec, configuration)
  }
}

package struct TilesOutcome: Sendable {
  /// The page that shows all pictures of the folder; nil if there is none.
  package let page: String?
  package let failed: Int
  package let wasInterrupted: Bool
}
