import ArgumentParser
import Foundation
import HeicBenchKit

struct CorpusOptions: ParsableArguments {
  @Argument(
    help: """
      Image files and folders. Folders are searched recursively; images are recognised by content.
      """, completion: .file())
  var roots: [InputPath] = []

  @Option(
    "Read more paths from a file, one per line (or each followed by a zero byte); - reads standard input.",
    value: "list", completion: .file())
  var files: InputPath?

  @Option(
    "Use only N images, drawn at random but always the same ones; first:N takes the first by name.",
    value: "n|first:n")
  var limit: ImageLimit?

  @OptionGroup var largest: PixelLimitOptions

  @Option(
    "Measure one of N equal parts of the corpus, K/N, or auto for the part assigned by Slurm, Kubernetes, GitLab or "
      + "GNU parallel. For a sweep, “heicbench shards” finds N.", value: "k/n",
    transform: { try Shard.parse($0, environment: ProcessInfo.processInfo.environment) })
  var shard: Shard?

  func validate() throws {
    try refuse(
      roots.isEmpty && files == nil,
      "Name at least one image or folder, such as corpus/ or photos/*.jpg, or a list with --files.")
  }

  var source: ImageSource {
    var source = largest.source(roots)
    (source.list, source.limit, source.shard) = (files, limit?.count, shard)
    source.limitsByName = limit?.isByName ?? false
    return source
  }
}

struct SampleOptions: ParsableArguments {
  @Option(
    "Draw N images evenly over formats, cameras and sizes, and estimate, with an interval, the result for all "
      + "images and the time that they would take.", value: "n", transform: Limits.sample.parse)
  var sample: Int?

  @Option("The seed of the sample: the same number draws the same images.", value: "number")
  var seed: UInt64 = 1
}

/// The value of `--limit`: `12`, or `first:12`.
struct ImageLimit: ParsedValue, Equatable {
  private static let mark = "first:"

  let count: Int
  let isByName: Bool

  init(parsing text: String) throws {
    isByName = text.hasPrefix(Self.mark)
    count = try Limits.images.parse(isByName ? String(text.dropFirst(Self.mark.count)) : text)
  }
}
