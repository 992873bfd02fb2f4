import ArgumentParser
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Pixels
import Store
import Sweep
import Workers

/// Pictures in tiles: making them, and measuring what they cost.
struct TilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tiles", abstract: "Measure what tiles for deep zoom cost, and make them.",
    subcommands: [TilesMeasureCommand.self, TilesExportCommand.self, TilesPackCommand.self],
    defaultSubcommand: TilesMeasureCommand.self)
}

/// What tiles are made of and how they are named.
struct TilesExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Cut pictures into tiles at halving sizes, with a page to look at them.",
    discussion: """
      Writes Deep Zoom, IIIF or plainly named tiles and index.html, which zooms and pans over them from the disk and \
      without a network. The same command again goes on where it was interrupted; tiles of a picture that was cut in \
      another way are replaced.

        heicbench tiles export map.png tiles/ --tile-size 512
        heicbench tiles export photo.heic tiles/ --layout dzi --rewrap
      """)

  @Argument(
    help: "Images, and last the folder that the tiles go to.",
    completion: .file())
  var paths: [String]

  @Option(help: ArgumentHelp("How tiles are named: dzi, iiif or names.", valueName: "layout"))
  var layout = TileLayout.dzi

  @Option(
    name: .customLong("codec"),
    help: ArgumentHelp(
      "The codec of the tiles with its settings, NAME[:key=value,…]. Browsers show jpeg, webp and avif. (default: "
        + "jpeg; with --rewrap that of the file)", valueName: "codec"),
    transform: { try CodecRegistry.standard.variant($0) })
  var codec: CodecVariant?

  @Option(
    help: ArgumentHelp("The quality of the tiles from 0.0 to 1.0. (default: 0.8)", valueName: "quality"),
    transform: {
      guard let quality = Quality($0) else {
        throw ValidationError("--quality takes a number from 0.0 to 1.0.")
      }
      return quality
    })
  var quality: Quality?

  @Option(
    help: ArgumentHelp("Pixels of a tile's side, without its overlap. (default: 512)", valueName: "pixels"))
  var tileSize: Int?

  @Option(help: ArgumentHelp("Pixels that neighbouring tiles share on each side.", valueName: "pixels"))
  var overlap = 0

  @Option(
    help: ArgumentHelp(
      "Shrink the picture so many times first, in linear light, which washes out what an earlier encoder left.",
      valueName: "n"))
  var downscale = 1

  @Flag(
    help: """
      Take the coded tiles of a HEIC grid, as phones write it, as they are for the largest level: nothing is decoded \
      and nothing lost. Smaller levels are encoded.
      """)
  var rewrap = false

  @Flag(help: "Make the largest level only, without a page.")
  var baseOnly = false

  @Flag(
    help: "Code tiles at the right and lower edge at the full size, as “tiles pack” needs them (HEIC, AVIF).")
  var pad = false

  @Option(
    help: ArgumentHelp(
      "With --layout iiif: the address that the folder will be served under, with a slash at its end.",
      valueName: "address"))
  var address = ""

  @Option(
    help: ArgumentHelp(
      "Refuse images with more pixels than this, in megapixels, before they are decoded.",
      valueName: "megapixels"))
  var maxPixels: Double = 300

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Tiles encoded side by side. (default: the cores)", valueName: "n"))
  var jobs: Int?

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  func validate() throws {
    guard paths.count >= 2 else {
      throw ValidationError("Name an image and the folder that its tiles go to.")
    }
    if let tileSize, !TilePyramid.tileSizes.contains(tileSize) {
      throw ValidationError("--tile-size takes pixels from 16 to 16384, not \(tileSize).")
    }
    guard (0...(tileSize ?? 512) / 2).contains(overlap) else {
      throw ValidationError("--overlap takes pixels from 0 to half a tile, not \(overlap).")
    }
    if overlap > 0, layout == .iiif || rewrap || pad {
      throw ValidationError("--overlap goes with --layout dzi and names, and without --rewrap and --pad.")
    }
    if rewrap, tileSize != nil || downscale != 1 {
      throw ValidationError(
        "With --rewrap tiles have the size that they have in the file; leave out --tile-size "
          + "and --downscale.")
    }
    guard (1...64).contains(downscale) else {
      throw ValidationError("--downscale takes a whole number from 1 to 64, not \(downscale).")
    }
    if pad, !["heic", "avif"].contains(codec?.codec ?? (rewrap ? "heic" : "jpeg")) {
      throw ValidationError(
        "--pad goes with --codec heic and avif, whose files can hold what they do not show.")
    }
    if let codec, codec.settings["grid"] ?? "0" != "0" {
      throw ValidationError("A tile is no grid of tiles: leave out grid= from --codec.")
    }
    if rewrap, let codec, codec.codec != "heic" {
      throw ValidationError("--rewrap makes HEIC tiles; leave out --codec, or give heic with its settings.")
    }
    guard maxPixels > 0, maxPixels <= 1e6 else {
      throw ValidationError("--max-pixels takes megapixels, more than 0 and at most 1000000.")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024, not \(jobs).")
    }
  }

  func run() throws {
    let raw = RawArguments()
    guard let quality = quality ?? Quality(thousandths: 800) else { return }
    let request = TileExportSession.Request(
      images: paths.dropLast().map(raw.bytes), folder: paths.last ?? ".", layout: layout,
      variant: try codec ?? CodecRegistry.standard.variant(rewrap ? "heic" : "jpeg"), quality: quality,
      tileSize: tileSize ?? 512, overlap: overlap, downscale: downscale,
      limits: ReadLimits(maximumPixels: max(1, Int(maxPixels * 1e6))), jobs: jobs ?? MachineCores.count,
      isRewrapped: rewrap, isBaseOnly: baseOnly, padsEdges: pad, address: address, isQuiet: quiet)
    let status = try TileExportSession(request).run()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

extension TileLayout: ExpressibleByArgument {}

/// Puts tiles that were encoded by themselves together.
struct TilesPackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Put HEIC or AVIF tiles together into one file, without decoding them.",
    discussion: """
      Takes a folder of tiles whose names end in COLUMN_ROW, or files row by row with --columns. Tiles have to be of \
      one size, those at the edges padded to it before they were encoded, as “tiles export --pad” does.

        heicbench tiles pack tiles/photo_files/13 photo.heic
        heicbench tiles pack 0_0.heic 1_0.heic 0_1.heic 1_1.heic photo.heic --columns 2 --size 900x700
      """)

  @Argument(help: "A folder of tiles, or tiles row by row; and last the file to write.", completion: .file())
  var paths: [String]

  @Option(help: ArgumentHelp("Tiles from left to right, where their names do not say.", valueName: "n"))
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      "The picture's size, such as 3024x4032. (default: what the last tile shows)", valueName: "size"),
    transform: { try WantedRegion(parsing: $0) })
  var size: WantedRegion?

  func validate() throws {
    guard paths.count >= 2 else { throw ValidationError("Name tiles, and the file to write.") }
    if let columns, !(1...256).contains(columns) {
      throw ValidationError("--columns takes a number from 1 to 256, not \(columns).")
    }
  }

  func run() throws {
    let output = paths.last ?? ""
    let tiles = try TileFiles.find(paths.dropLast().map { $0 }, columns: columns)
    let bytes = try tiles.files.map { path in
      do throws(Failure) { return try SourceFile.bytes(at: path.bytes) } catch {
        throw HeicBenchError(.noInput, "“\(path.name)” \(error.message)")
      }
    }
    let wanted: (Int, Int)? =
      if case .part(let width, let height)? = size?.part { (width, height) } else { nil }
    let packed: [UInt8]
    do throws(TilePackingError) {
      packed = try TilePacking.file(bytes, columns: tiles.columns, size: wanted)
    } catch {
      let place = error.file.map { "“\(tiles.files[$0].name)”: " } ?? ""
      throw HeicBenchError(.noInput, "\(place)\(error.reason)")
    }
    // A slip in a name must not cost a file: what is there already stays.
    let (folder, name) = Self.split(output)
    try OwnedFolder(folder).give(packed, as: name)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    return (folder.isEmpty ? "." : folder, url.lastPathComponent)
  }
}

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
  static func find(_ paths: [String], columns: Int?) throws -> TileFiles {
    let raw = RawArguments()
    var isFolder: ObjCBool = false
    if paths.count == 1, FileManager.default.fileExists(atPath: paths[0], isDirectory: &isFolder),
      isFolder.boolValue
    {
      return try inFolder(paths[0])
    }
    let files = paths.map { File(bytes: raw.bytes(of: $0), name: $0) }
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
