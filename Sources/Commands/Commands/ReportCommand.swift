import ArgumentParser
import HeicBenchKit

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the reports of a run again or in another format, or list what failed.",
    discussion: """
      Everything comes from the results folder; nothing is measured. Pictures need the images, which \
      are read from where the run found them, or from --corpus, and encoded again.

        heicbench report results --images 8 --title "Our product photos"
        heicbench report results --format json > results.json
        heicbench report results --failures
      """)

  @Argument(help: "A results folder.", completion: .directory)
  var results = "results"

  @Flag(help: "List what failed, with commands that reproduce it, as text, csv or json.")
  var failures = false

  @Option(
    "html (the default) writes report.html, the charts, summary.md and measurements.csv into the folder, and, if files "
      + "were read, decode.html, decode.md and decodes.csv. codec-compare writes its batches into codec-compare/ in the "
      + "folder; parquet writes the tables (measurements.parquet, savings.parquet, …) into the folder. csv, json and "
      + "markdown go to standard output, as does totals: a line for each codec and quality, summed by the database, "
      + "for runs with more images than fit in memory.",
    value: "format")
  var format: Format?

  @Option(
    help: ArgumentHelp("Where the images are, if they have moved since the run.", valueName: "path"),
    completion: .directory)
  var corpus: [InputPath] = []

  @Option(
    "The codec to compare the others with, as the reports name it. (default: the first of the run)",
    value: "codec")
  var reference: String?

  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup(title: "The page") var page: PageOptions
  @OptionGroup(title: "Comparison") var judgement: JudgementOptions

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case html, csv, json, markdown, parquet, text, totals
    case codecCompare = "codec-compare"
  }

  func validate() throws {
    try refuse(failures && listing == nil, "--failures writes text, csv or json.")
    try refuse(!failures && format == .text, "--format text is for --failures.")
  }

  /// The format of `--failures`; nil for one that it does not have.
  private var listing: FailuresCommand.Format? { .init(rawValue: (format ?? .text).rawValue) }

  func run() throws {
    if failures, let listing { return try FailuresCommand.list(results, as: listing) }
    var request = ReportRequest(results: results)
    request.images = corpus
    request.reference = reference
    request.workers = sandbox.settings
    request.page = page.settings
    request.judgement = judgement.judgement
    var output = StandardOutput()
    switch format ?? .html {
    case .html, .text:
      StandardError.notice("wrote \(try request.writePage(warnings: StandardError.notice))")
    case .csv: try request.write(.csv, to: &output)
    case .json: try request.write(.json, to: &output)
    case .markdown: try request.write(.markdown, to: &output)
    case .totals: StandardOutput.tell(try request.totals(width: StandardOutput.width))
    case .parquet:
      let names = try request.writeParquet()
      StandardError.notice("wrote \(names.joined(separator: ", ")) into \(results)")
    case .codecCompare: try request.exportForCodecCompare()
    }
  }
}
