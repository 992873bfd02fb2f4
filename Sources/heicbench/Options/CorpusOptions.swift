import ArgumentParser
import Foundation
import HeicBenchKit
import Workers

struct CorpusOptions: ParsableArguments {
  @Argument(
    help: """
      Image files and folders. Folders are searched recursively; images are recognised by content.
      """, completion: .file())
  var roots: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read more paths from a file, one per line (or each followed by a zero byte); - reads standard input.",
      valueName: "list"), completion: .file())
  var files: String?

  @Option(
    help: ArgumentHelp("Take only the first N images, in the order of their names.", valueName: "n"),
    transform: Limits.images.parse)
  var limit: Int?

  @OptionGroup var largest: PixelLimitOptions

  @Option(
    help: ArgumentHelp(
      "Measure one of N equal parts of the corpus, K/N, or auto for the part assigned by Slurm, Kubernetes, GitLab or "
        + "GNU parallel.", valueName: "k/n"),
    transform: { try Shard.parse($0, environment: ProcessInfo.processInfo.environment) })
  var shard: Shard?

  func validate() throws {
    guard !roots.isEmpty || files != nil else {
      throw ValidationError(
        "Name at least one image or folder, such as “heicbench corpus/”, or a list with --files.")
    }
  }

  /// The images, with paths as the bytes given.
  var source: ImageSource {
    let raw = RawArguments()
    var source = ImageSource(roots.map { InputPath(bytes: raw.bytes(of: $0)) })
    source.list = files.map { InputPath(bytes: raw.bytes(of: $0)) }
    source.limit = limit
    source.maximumPixels = largest.pixels
    source.shard = shard
    return source
  }
}
