import ArgumentParser
import HeicBenchKit

extension NameSpecification {
  /// `--output` of every command. `--out` is a common first guess, for which the parser would suggest `--at`.
  static let output: NameSpecification = [.customShort("o"), .customLong("output"), .customLong("out")]
}

enum AnswerFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

struct OutputOptions: ParsableArguments {
  @Option(
    "The folder of the results. Points already measured there are not measured again.", value: "folder",
    name: .output, completion: .directory)
  var output = "results"

  @Option("Also write the results to standard output, as csv, json or markdown.", value: "format")
  var format: ReportFormat?

  @OptionGroup var earlier: ReuseOptions
  @OptionGroup var console: QuietOption

  @Flag(help: "Log details on standard error.")
  var verbose = false
}
