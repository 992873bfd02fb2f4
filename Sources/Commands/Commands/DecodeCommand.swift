import ArgumentParser
import HeicBenchKit
import Metrics

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Measure the cost of decoding files: in full, at a reduced size, in part.",
    discussion: """
      Reads every file in every way: in full, at the decoder's reduced size, from the embedded thumbnail, and in \
      part. With --codec, it also encodes each picture and reads the result. Writes decode.html, decode.md, \
      decodes.csv, decode.json and charts into the results folder. Running it again reads only what is missing there.

        heicbench decode photos/
        heicbench decode photos/ --size 320,1024,full --codec jpeg --codec heic --qualities 0.5,0.8
        heicbench decode photos/ --build new=builds/libheif-1.8.1
        heicbench decode --gallery photos/
      """)

  @OptionGroup(title: "Files") var corpus: CorpusOptions

  @Option(
    "The sizes to decode to, as longest sides in pixels, comma-separated; full means the full size.",
    value: "sizes")
  var size = WantedSizes()

  @Option("The size of the centred region to read, such as 512x512, or none.", value: "size")
  var region = WantedRegion(part: PixelSize(width: 512, height: 512))

  @Option(
    "Also encode each picture with this codec and read the result, NAME[@BUILD][:key=value,…]; repeatable.",
    value: "codec", name: .customLong("codec"))
  var codecs: [CodecVariant] = []

  @OptionGroup var build: BuildOptions

  @Option(
    "Qualities for --codec; several, such as 0.4,0.6,0.8, compare codecs at equal quality. (default: 0.8)",
    value: "qualities")
  var qualities: QualityList?

  @Option(
    "Further metrics, comma-separated, or all, or none. ssimulacra2 and psnr-y, which judge the decodes, are always "
      + "scored. (default: none)", value: "metrics",
    completion: .list(["all", "none"] + MetricTraits.standard.map(\.id)))
  var metrics: MetricList?

  @Option(
    "A metric of your own, as in a sweep: a name and a program that prints a number.",
    value: "name[:lower|:higher]='program …'", name: .customLong("metric-command"))
  var metricCommands: [MetricCommand] = []

  @Option(
    "The lowest SSIMULACRA2 against the full picture at which a decode is good enough.", value: "score",
    transform: Limits.score.parse)
  var score = DecodeCostRequest(images: []).score

  @Option(
    "Add the time to transfer the bytes over a connection of this many Mbit/s.", value: "Mbit/s",
    transform: Limits.bandwidth.parse)
  var bandwidth: Double?

  @Option(
    "The HDR originals of files with gain maps, as 16-bit PQ PNG: one file, or a folder with a file of the "
      + "same name for each. Pictures with the map applied are scored against them.", value: "path",
    name: .customLong("hdr-original"), completion: .file())
  var hdrOriginal: InputPath?

  @Option(
    "The number of timings of each decode.", value: "n", name: .customLong("repeat"),
    transform: Limits.repeats.parse)
  var repeats = 3

  @OptionGroup var work: WorkerOptions

  @Flag(
    help: """
      Simulate scrolling through the files as a gallery, under several policies: full pictures or thumbnails, with or \
      without a cache, with or without a limit on decodes. Writes gallery.html, gallery.md, gallery.json and \
      gallery.csv.
      """)
  var gallery = false

  @Option(
    "With --gallery: the longest side of a cell's picture. (default: 320)", value: "pixels",
    transform: Limits.cell.parse)
  var cell: Int?

  @Option("With --gallery: the columns and rows of cells in view. (default: 3x4)", value: "columns x rows")
  var cells: PixelSize?

  @Option(
    "With --gallery: the size limit of the cache, in bytes of decoded pixels. (default: 64MiB)",
    value: "bytes")
  var cache: ByteCount?

  @OptionGroup var earlier: ReuseOptions

  @Flag(help: "Read one file at a time, so that wall times are valid too.")
  var time = false

  @OptionGroup(title: "The page") var page: PageOptions

  @OptionGroup var results: FolderOptions
  @OptionGroup var console: QuietOption

  func validate() throws {
    try refuse(qualities != nil && codecs.isEmpty, "--qualities needs --codec.")
    guard gallery else {
      return try refuse(
        cell != nil || cells != nil || cache != nil, "--cell, --cells and --cache need --gallery.")
    }
    try refuse(
      !codecs.isEmpty || !build.builds.isEmpty,
      "--gallery shows files as they are; leave out --codec and --build.")
  }

  func run() throws {
    let cancellation = try Interruption().cancellation
    StandardError.noticeRepeated(codecs)
    let console = JobConsole(unit: "reads", isQuiet: self.console.quiet)
    let outcome =
      try gallery
      ? galleryRequest.run(cancellation: cancellation, events: console.show)
      : request.run(cancellation: cancellation, events: console.show)
    try console.close(outcome, table: "decodes.csv")
  }

  private var galleryRequest: GalleryRequest {
    var gallery = GalleryRequest(request)
    if let cell { gallery.cell = cell }
    if let cells { gallery.grid = cells }
    if let cache { gallery.cacheBytes = cache.bytes }
    return gallery
  }

  private var request: DecodeCostRequest {
    var request = DecodeCostRequest(images: corpus.source, output: results.output)
    request.sizes = size.sizes + (region.part.map { [.part(width: $0.width, height: $0.height)] } ?? [])
    request.codecs = codecs
    request.builds = build.builds
    request.scoresThroughBuilds = build.decoder == .own
    if let qualities { request.qualities = qualities.qualities }
    if let metrics { request.metrics = metrics.identifiers }
    request.metricCommands = metricCommands
    request.score = score
    request.bandwidth = bandwidth
    request.hdrOriginals = hdrOriginal
    request.repeats = repeats
    request.isExclusive = time
    request.reuse = earlier.reuse
    request.page = page.settings
    request.workers = work.settings
    return request
  }
}

struct WantedSizes: ParsedValue, CustomStringConvertible {
  var sizes: [WantedPixels] = [.side(160), .side(320), .side(1024), .all]

  init(parsing text: String) throws {
    sizes = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let size = part == "full" ? WantedPixels.all : .side(try Limits.side.parse(String(part)))
      if !sizes.contains(size) { sizes.append(size) }
    }
  }

  init() {}

  var description: String { sizes.map(\.description).joined(separator: ",") }
}

struct WantedRegion: ParsedValue, CustomStringConvertible {
  var part: PixelSize?

  init(part: PixelSize?) { self.part = part }

  init(parsing text: String) throws {
    guard text != "none" else {
      part = nil
      return
    }
    guard let size = PixelSize(text) else {
      throw ValidationError("write a size as columns and rows, such as 3x4, or none")
    }
    part = size
  }

  var description: String { part?.description ?? "none" }
}
