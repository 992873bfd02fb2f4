import ArgumentParser
import HeicBenchKit

extension NameSpecification {
  /// `--output` of every command. `--out` is a common first guess; the parser would suggest `--score`.
  static let output: NameSpecification = [.customShort("o"), .customLong("output"), .customLong("out")]
}

enum AnswerFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

struct OutputOptions: ParsableArguments {
  @Option(
    "The results folder. Points already measured there are not measured again.", value: "folder",
    name: .output, completion: .directory)
  var output = "results"

  @Option("Also write the results to standard output, as csv, json or markdown.", value: "format")
  var format: ReportFormat?

  @OptionGroup var earlier: ReuseOptions
  @OptionGroup var console: QuietOption

  @Flag(help: "Log details to standard error.")
  var verbose = false
}

struct FolderOptions: ParsableArguments {
  @Option("The results folder.", value: "folder", name: .output, completion: .directory)
  var output = "results"
}

struct ReuseOptions: ParsableArguments {
  @Flag(help: "Measure everything again, even what the results already contain.")
  var fresh = false

  @Flag(help: "Retry what failed before.")
  var retryFailed = false

  var reuse: Reuse { fresh ? .nothing : retryFailed ? .successes : .all }
}

/// The files and folders that every command leaves out.
struct ExcludeOptions: ParsableArguments {
  @Option(
    name: .customLong("exclude"),
    help: ArgumentHelp(
      "Leave out files and folders by name, such as '*_edited.jpg' or raw/, or, with a slash, by the path in the given "
        + "folder, such as '2019/**/export'. Repeatable. Folders of a NAS (@eaDir, #recycle) are always left out.",
      valueName: "pattern"))
  var patterns: [String] = []
}

struct PixelLimitOptions: ParsableArguments {
  @OptionGroup var excluded: ExcludeOptions

  @Option(
    "Refuse images with more pixels than this, in megapixels, before they are decoded.", value: "megapixels",
    transform: Limits.megapixels.parse)
  var maxPixels = 300.0

  func source(_ paths: [InputPath]) -> ImageSource {
    var source = ImageSource(paths)
    source.maximumPixels = max(1, Int(maxPixels * 1e6))
    source.excluded = excluded.patterns
    return source
  }

  func source(_ paths: some Sequence<String>) -> ImageSource { source(paths.map(InputPath.init(argument:))) }
}

struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false
}
