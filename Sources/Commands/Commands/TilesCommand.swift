import ArgumentParser
import HeicBenchKit

struct TilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tiles", abstract: "Measure the cost of tiles for deep zoom, and make them.",
    subcommands: [TilesMeasureCommand.self, TilesExportCommand.self, TilesPackCommand.self],
    defaultSubcommand: TilesMeasureCommand.self)
}

extension TileLayout: ExpressibleByArgument {}

struct TilesExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Cut pictures into tiles at successively halved sizes, with a page to view them.",
    discussion: """
      Writes Deep Zoom, IIIF or plainly named tiles and index.html, which zooms and pans them from disk, without \
      a network. Running the same command again continues after an interruption; tiles of a picture that was cut \
      differently are replaced.

        heicbench tiles export map.png tiles/ --tile-size 512
        heicbench tiles export photo.heic tiles/ --layout dzi --rewrap
        heicbench tiles export map.png tiles/ --codec jpeg@moz --build moz=builds/mozjpeg
      """)

  @Argument(
    help: "Images, and finally the folder for the tiles.",
    completion: .file())
  var paths: [String]

  @Option("How tiles are named: dzi, iiif or names.", value: "layout")
  var layout = TileLayout.dzi

  @Option(
    "The codec of the tiles and its settings, NAME[@BUILD][:key=value,…]. Browsers show jpeg, webp and avif. (default: "
      + "jpeg; with --rewrap the file's own)", value: "codec", name: .customLong("codec"))
  var codec: CodecVariant?

  @OptionGroup var libraries: LibraryOptions

  @Option("The quality of the tiles from 0.0 to 1.0. (default: 0.8)", value: "quality")
  var quality: Quality?

  @Option(
    "The side of a tile in pixels, without the overlap. (default: 512)", value: "pixels",
    transform: Limits.tileSide.parse)
  var tileSize: Int?

  @Option("Pixels that neighbouring tiles share on each side.", value: "pixels")
  var overlap = 0

  @Option(
    "First downscale the picture by this factor, in linear light, which removes the artefacts of an earlier encoder.",
    value: "n", transform: Limits.downscale.parse)
  var downscale = 1

  @Flag(
    help: """
      For the largest level, copy the coded tiles of a HEIC grid, such as phones write, without decoding and without \
      loss. Smaller levels are encoded.
      """)
  var rewrap = false

  @Flag(help: "Make only the largest level, without a page.")
  var baseOnly = false

  @Flag(
    help: "Encode tiles at the right and lower edge at full size, as “tiles pack” needs them (HEIC, AVIF).")
  var pad = false

  @Option(
    "With --layout iiif: the address at which the folder will be served, ending in a slash.", value: "address"
  )
  var address = ""

  @Option("The heading of the pictures on the page, instead of their names.", value: "text")
  var title: String?

  @Option(
    "A credit line on the page, such as “© A. Name, CC BY 4.0”.", value: "text")
  var licence: String?

  @OptionGroup var limit: PixelLimitOptions

  @OptionGroup var work: WorkerOptions

  @OptionGroup var console: QuietOption

  func validate() throws {
    try refuse(paths.count < 2, "Name an image and the folder for its tiles.")
    try refuse(
      rewrap && (tileSize != nil || downscale != 1),
      "With --rewrap, tiles keep their size in the file; leave out --tile-size and --downscale.")
    try refuse(!address.isEmpty && layout != .iiif, "--address needs --layout iiif.")
  }

  func run() throws {
    let cancellation = try Interruption().cancellation
    let outcome = try request.run(cancellation: cancellation) { [console] in
      Self.show($0, isQuiet: console.quiet)
    }
    if let page = outcome.page, !outcome.wasInterrupted { console.say(["open \(page) to view them"]) }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: outcome.failed > 0)
  }

  private static func show(_ event: TilesEvent, isQuiet: Bool) {
    switch event {
    case .failed(let picture, let reason): StandardError.notice("“\(picture)”: \(reason)")
    case .progress(let picture, let tiles):
      StandardError.redraw("\(picture): \(tiles) tiles", isQuiet: isQuiet)
    case .notice(let text): if !isQuiet { StandardError.notice(text) }
    case .made(_, let sentences):
      StandardError.redraw(isQuiet: isQuiet)
      if !isQuiet { StandardOutput.write(lines: sentences) }
    }
  }

  private var request: TilesRequest {
    var request = TilesRequest(images: limit.source(paths.dropLast()), output: paths.last ?? ".")
    request.layout = layout
    (request.codec, request.builds) = (codec, libraries.builds)
    if let quality { request.quality = quality }
    if let tileSize { request.tileSize = tileSize }
    request.overlap = overlap
    request.downscale = downscale
    request.rewraps = rewrap
    request.isBaseOnly = baseOnly
    request.padsEdges = pad
    (request.title, request.licence) = (title, licence)
    request.address = address.isEmpty || address.hasSuffix("/") ? address : address + "/"
    request.workers = work.settings
    return request
  }
}

struct TilesPackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Join HEIC or AVIF tiles into one file, without decoding them.",
    discussion: """
      Takes a folder of tiles whose names end in COLUMN_ROW, or files row by row with --columns. All tiles must have \
      the same size, with those at the edges padded before encoding, as “tiles export --pad” does, and the same \
      orientation, as with “tiles export --rewrap”.

        heicbench tiles export photo.heic tiles/ --rewrap
        heicbench tiles pack tiles/photo_files/12 photo-again.heic
        heicbench tiles pack 0_0.heic 1_0.heic 0_1.heic 1_1.heic joined.heic --columns 2 --size 900x700
      """)

  @Argument(
    help: "A folder of tiles, or tiles row by row, and finally the file to write.", completion: .file())
  var paths: [String]

  @Option("The number of columns, if the names do not say.", value: "n", transform: Limits.columns.parse)
  var columns: Int?

  @Option(
    "The picture's size, such as 3024x4032. (default: the size that “tiles export” noted beside the tiles, or "
      + "that implied by the last tile)", value: "size")
  var size: PixelSize?

  @OptionGroup var sandbox: SandboxOptions

  func validate() throws {
    try refuse(paths.count < 2, "Name the tiles, and the file to write.")
  }

  func run() throws {
    var request = TilePackRequest(
      paths.dropLast().map(InputPath.init(argument:)), into: paths.last ?? "")
    request.columns = columns
    request.size = size
    request.workers = sandbox.settings
    try request.run()
  }
}
