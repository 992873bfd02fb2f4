import ArgumentParser
import HeicBenchKit
import Model

struct FolderOptions: ParsableArguments {
  @Option("The folder of the results.", value: "folder", name: .output, completion: .directory)
  var output = "results"
}

struct ReuseOptions: ParsableArguments {
  @Flag(help: "Measure everything again, even what is in the results already.")
  var fresh = false

  @Flag(help: "Try again what failed before.")
  var retryFailed = false

  var reuse: Reuse { fresh ? .nothing : retryFailed ? .successes : .all }
}

struct PixelLimitOptions: ParsableArguments {
  @Option(
    "Refuse images with more pixels than this, in megapixels, before they are decoded.", value: "megapixels",
    transform: Limits.megapixels.parse)
  var maxPixels = 300.0

  var pixels: Int { max(1, Int(maxPixels * 1e6)) }
}

struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false
}

extension PixelSize {
  /// Parses `1920x1080`; nil if it is not the size of a picture.
  init?(_ text: String) {
    guard let view = TileView(text) else { return nil }
    self.init(width: view.width, height: view.height)
  }
}
