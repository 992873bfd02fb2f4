import ArgumentParser
import CodecKit
import Codecs
import HeicBenchKit
import Model

struct TilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tiles", abstract: "Measure what tiles for deep zoom cost, and make them.",
    subcommands: [TilesMeasureCommand.self, TilesExportCommand.self, TilesPackCommand.self],
    defaultSubcommand: TilesMeasureCommand.self)
}

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
        heicbench tiles export map.png tiles/ --codec jpeg@moz --build moz=builds/mozjpeg
      """)

  @Argument(
    help: "Images, and last the folder that the tiles go to.",
    completion: .file())
  var paths: [String]

  @Option(help: ArgumentHelp("How tiles are named: dzi, iiif or names.", valueName: "layout"))
  var layout = TilesRequest.Layout.dzi

  @Option(
    name: .customLong("codec"),
    help: ArgumentHelp(
      "The codec of the tiles with its settings, NAME[@BUILD][:key=value,…]. Browsers show jpeg, webp and avif. (default: "
        + "jpeg; with --rewrap that of the file)", valueName: "codec"),
    transform: { try CodecVariant($0) })
  var codec: CodecVariant?

  @OptionGroup var libraries: LibraryOptions

  @Option(
    help: ArgumentHelp("The quality of the tiles from 0.0 to 1.0. (default: 0.8)", valueName: "quality"))
  var quality: Quality?

  @Option(
    help: ArgumentHelp("Pixels of a tile's side, without its overlap. (default: 512)", valueName: "pixels"),
    transform: Limits.tileSide.parse)
  var tileSize: Int?

  @Option(help: ArgumentHelp("Pixels that neighbouring tiles share on each side.", valueName: "pixels"))
  var overlap = 0

  @Option(
    help: ArgumentHelp(
      "Shrink the picture so many times first, in linear light, which washes out what an earlier encoder left.",
      valueName: "n"),
    transform: Limits.downscale.parse)
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

  @OptionGroup var limit: PixelLimitOptions

  @OptionGroup var work: WorkerOptions

  @OptionGroup var console: QuietOption

  func validate() throws {
    guard paths.count >= 2 else {
      throw ValidationError("Name an image and the folder that its tiles go to.")
    }
    if rewrap, tileSize != nil || downscale != 1 {
      throw ValidationError(
        "With --rewrap tiles have the size that they have in the file; leave out --tile-size "
          + "and --downscale.")
    }
  }

  func run() throws {
    let interruption = try Interruption()
    let outcome = try request.run(cancellation: interruption.cancellation) { [console] in
      Self.show($0, isQuiet: console.quiet)
    }
    if let page = outcome.page, !outcome.wasInterrupted { console.say(["\(page) shows them."]) }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: outcome.failed > 0)
  }

  private static func show(_ event: TilesEvent, isQuiet: Bool) {
    switch event {
    case .failed(let picture, let reason): StandardError.notice("“\(picture)”: \(reason)")
    case .progress(let picture, let tiles):
      if !isQuiet, StandardError.isTerminal { StandardError.write("\r\(picture): \(tiles) tiles") }
    case .made(_, let sentences):
      guard !isQuiet else { return }
      if StandardError.isTerminal { StandardError.write("\r") }
      StandardOutput.write(lines: sentences)
    }
  }

  private var request: TilesRequest {
    let raw = RawArguments()
    var request = TilesRequest(
      images: paths.dropLast().map { InputPath(bytes: raw.bytes(of: $0)) }, output: paths.last ?? ".")
    request.images.maximumPixels = limit.pixels
    request.layout = layout
    (request.codec, request.builds) = (codec, libraries.builds)
    if let quality { request.quality = quality }
    if let tileSize { request.tileSize = tileSize }
    request.overlap = overlap
    request.downscale = downscale
    request.rewraps = rewrap
    request.isBaseOnly = baseOnly
    request.padsEdges = pad
    request.address = address
    request.workers = work.settings
    return request
  }
}

struct TilesPackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Put HEIC or AVIF tiles together into one file, without decoding them.",
    discussion: """
      Takes a folder of tiles whose names end in COLUMN_ROW, or files row by row with --columns. Tiles have to be of \
      one size, those at the edges padded to it before they were encoded, as “tiles export --pad” does, and all turned in \
      the same way, as those of “tiles export --rewrap” are.

        heicbench tiles export photo.heic tiles/ --rewrap
        heicbench tiles pack tiles/photo_files/12 photo-again.heic
        heicbench tiles pack 0_0.heic 1_0.heic 0_1.heic 1_1.heic joined.heic --columns 2 --size 900x700
      """)

  @Argument(help: "A folder of tiles, or tiles row by row; and last the file to write.", completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp("Tiles from left to right, where their names do not say.", valueName: "n"),
    transform: Limits.columns.parse)
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      "The picture's size, such as 3024x4032. (default: what “tiles export” noted beside the tiles, else what the last "
        + "tile shows)", valueName: "size"),
    transform: { try WantedRegion(parsing: $0) })
  var size: WantedRegion?

  func validate() throws {
    guard paths.count >= 2 else { throw ValidationError("Name tiles, and the file to write.") }
  }

  func run() throws {
    let raw = RawArguments()
    var request = TilePackRequest(
      paths.dropLast().map { InputPath(bytes: raw.bytes(of: $0)) }, into: paths.last ?? "")
    request.columns = columns
    request.size = size?.part
    try request.run()
  }
}
