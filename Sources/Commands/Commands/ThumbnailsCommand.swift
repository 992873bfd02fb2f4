import ArgumentParser
import CodecKit
import Codecs
import HeicBenchKit

struct ThumbnailsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Make thumbnails in the cheapest way that shows the picture well enough.",
    discussion: """
      Uses the embedded thumbnail if it is large enough and shows the picture, which is checked on the first of \
      several files of a kind. In all other cases it uses the picture, decoded at a reduced size where JPEG and HEIC \
      allow it and downscaled in linear light. Thumbnails are upright, never enlarged and never letterboxed. An \
      existing thumbnail that was made from the same file in the same way is kept. Thumbnails keep the colour profile \
      but no other metadata: no Exif data, no location.

        heicbench thumbnails photos/ thumbnails/ --size 320
        heicbench thumbnails photos/ thumbnails/ --size 320,1280
        heicbench thumbnails a.heic b.jpg out/ --format avif --quality 0.6

      IMG_1.heic becomes IMG_1.heic.jpg, or 320/IMG_1.heic.jpg and 1280/IMG_1.heic.jpg.
      """)

  @Argument(help: "Image files and folders, and finally the folder for the thumbnails.", completion: .file())
  var paths: [String] = []

  @Option(
    "The longest side in pixels. With several, comma-separated, each has its own folder; images are decoded only once.",
    value: "sizes")
  var size = ThumbnailSizes()

  @Option(
    "png, or a codec as for --codec in other commands: jpeg, heic, avif, heic:preset=fast.", value: "format")
  var format = "jpeg"

  @Option("The quality, 0.0 to 1.0. (default: 0.8)", value: "quality")
  var quality: Quality?

  @Option(
    "The lowest SSIMULACRA2 against the full picture at which an embedded thumbnail is used.", value: "score",
    transform: Limits.score.parse)
  var score = 60.0

  @OptionGroup var work: WorkerOptions

  @OptionGroup var limit: PixelLimitOptions

  @Flag(help: "Make existing thumbnails again.")
  var fresh = false

  @OptionGroup var console: QuietOption

  func validate() throws {
    try refuse(
      paths.count < 2,
      "Name the images, then the folder for the thumbnails: “heicbench thumbnails photos/ thumbnails/”.")
    _ = try encoding()
  }

  private func encoding() throws -> ReadEncoding? {
    if format == "png" {
      try refuse(quality != nil, "PNG has no quality: leave out --quality.")
      return nil
    }
    do {
      return ReadEncoding(variant: try CodecRegistry.standard.variant(format), quality: quality ?? 0.8)
    } catch {
      throw ValidationError("--format: \(error)")
    }
  }

  func run() throws {
    let cancellation = try Interruption().cancellation
    let outcome = try request().run(
      cancellation: cancellation,
      events: JobConsole(unit: "thumbnails", isQuiet: console.quiet).show)
    console.say(outcome.sentences)
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: outcome.failed > 0)
  }

  private func request() throws -> ThumbnailsRequest {
    var request = ThumbnailsRequest(images: limit.source(paths.dropLast()), output: paths.last ?? "")
    request.sizes = size.sizes
    request.encoding = try encoding()
    request.score = score
    request.makesAgain = fresh
    request.workers = work.settings
    return request
  }
}

struct ThumbnailSizes: ParsedValue, CustomStringConvertible {
  var sizes = ThumbnailsRequest(images: [], output: "").sizes

  init() {}

  init(parsing text: String) throws {
    sizes = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let size = try Limits.thumbnailSide.parse(String(part))
      if !sizes.contains(size) { sizes.append(size) }
    }
  }

  var description: String { sizes.map(String.init).joined(separator: ",") }
}
