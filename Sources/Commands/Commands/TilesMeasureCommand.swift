import ArgumentParser
import HeicBenchKit

struct TilesMeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract:
      "Measure the cost of cutting pictures into tiles: bytes at equal score, and the cost of a viewport.",
    discussion: """
      Cuts every image at every tile size with every codec, into files and, for HEIC, within one file, and compares \
      the result with the image without tiles. Writes tiles.csv, tiles.md and tiles.json into the results folder; \
      running the same command again measures only what is missing. “heicbench tiles FILES” is short for this command.

        heicbench tiles photos/ --codec jpeg --codec heic --tile-size 256,512,1024
        heicbench tiles phone/ --downscale 2 --viewport 1170x2532
        heicbench tiles photos/ --codec heic --codec heic@new --build new=builds/libheif-1.8.1
      """)

  @OptionGroup(title: "Images") var corpus: CorpusOptions

  @Option(
    "A codec and its settings, NAME[@BUILD][:key=value,…]; repeatable. (default: jpeg and heic)",
    value: "codec", name: .customLong("codec"))
  var codecs: [CodecVariant] = []

  @OptionGroup var libraries: LibraryOptions

  @Option("Qualities from 0.0 to 1.0, as for a sweep.", value: "qualities")
  var qualities = QualityList(TileCostRequest(images: []).qualities)

  @Option(
    "Metrics that score the joined tiles, comma-separated, or all; SSIMULACRA2 is always included.",
    value: "metrics")
  var metrics = MetricList(identifiers: TileCostRequest(images: []).metrics)

  @Option("The side lengths of tiles in pixels, comma-separated.", value: "sizes")
  var tileSize = TileSizes(sizes: TileCostRequest(images: []).tileSizes)

  @Option("Pixels that neighbouring tiles share on each side.", value: "pixels")
  var overlap = 0

  @Option("The size of the part of a picture on screen, in pixels.", value: "size")
  var viewport = TileCostRequest(images: []).viewport

  @Option(
    "First downscale every image by this factor, in linear light, which removes the blocks of lossy sources.",
    value: "n", transform: Limits.downscale.parse)
  var downscale = 1

  @OptionGroup var work: WorkerOptions

  @Flag(help: "Cut one image at a time, which gives the most reliable CPU times.")
  var time = false

  @OptionGroup var earlier: ReuseOptions
  @OptionGroup var results: FolderOptions
  @OptionGroup var console: QuietOption

  func run() throws {
    let cancellation = try Interruption().cancellation
    StandardError.noticeRepeated(codecs)
    let console = JobConsole(unit: "cuts", isQuiet: self.console.quiet)
    let outcome = try request.run(cancellation: cancellation, events: console.show)
    try console.close(outcome, table: "tiles.csv")
  }

  private var request: TileCostRequest {
    var request = TileCostRequest(images: corpus.source, output: results.output)
    (request.codecs, request.builds) = (codecs, libraries.builds)
    request.qualities = qualities.qualities
    request.metrics = metrics.identifiers
    request.tileSizes = tileSize.sizes
    request.overlap = overlap
    request.viewport = viewport
    request.downscale = downscale
    request.isExclusive = time
    request.reuse = earlier.reuse
    request.workers = work.settings
    return request
  }
}

struct TileSizes: ParsedValue, CustomStringConvertible {
  var sizes: [Int]

  init(sizes: [Int]) { self.sizes = sizes }

  /// Parses `256,512`: even numbers, as grids need them.
  init(parsing text: String) throws {
    var sizes: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let size = Int(part), TileCostRequest.isSide(size) else {
        throw ValidationError(
          "--tile-size takes comma-separated even numbers of pixels from 64 to 8192, not “\(part)”.")
      }
      if !sizes.contains(size) { sizes.append(size) }
    }
    self.sizes = sizes
  }

  var description: String { sizes.map(String.init).joined(separator: ",") }
}
