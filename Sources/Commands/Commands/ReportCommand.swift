import ArgumentParser
import HeicBenchKit

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Write the reports of a run again or in another format, list what failed, or show runs side by side.",
    discussion: """
      Everything comes from the results folder; nothing is measured. Pictures need the images, which \
      are read from where the run found them, or from --corpus, and encoded again.

      Two or more runs are shown side by side, each compared with the first, without a verdict. A codec is paired with \
      itself even if the other run has different settings or another build of the libraries; if that run has several \
      variants of it, the one with the same settings is used.

        heicbench report results --images 8 --title "Our product photos"
        heicbench report results --format json > results.json
        heicbench report results --failures
        heicbench report results-x265-3.5 results-x265-4.1
      """)

  @Argument(
    help: "A results folder, or several results folders or measurements.csv files. (default: results)",
    completion: .file())
  var runs: [String] = []

  @Flag(help: "List what failed, with commands that reproduce it, as text, csv or json.")
  var failures = false

  @Option(
    "html (the default) writes report.html, the charts, summary.md and measurements.csv into the folder, and, if files "
      + "were read, decode.html, decode.md and decodes.csv. codec-compare writes its batches into codec-compare/ in the "
      + "folder; parquet writes the tables (measurements.parquet, savings.parquet, …) into the folder. csv, json and "
      + "markdown go to standard output, as does totals: a line for each codec and quality, summed by the database, "
      + "for runs with more images than fit in memory. For several runs: markdown (shown as text on a terminal) or "
      + "json.",
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
    try refuse(!failures && format == .text, "--format text is for --failures.")
    try refuse(failures && listing == nil, "--failures writes text, csv or json.")
    let isForPage =
      reference != nil || !corpus.isEmpty || sandbox.requireSandbox || page.settings != PageSettings()
    try refuse(
      failures && (runs.count > 1 || isForPage || judgement.judgement != Judgement()),
      "--failures takes one results folder and no other option than --format.")
    guard runs.count > 1 else { return }
    try refuse(
      isForPage, "Several runs are shown as text: only --format, --score, --band and --headline apply.")
    try refuse(comparison == nil, "Several runs are shown as markdown or json.")
  }

  /// The format of `--failures`; nil for one that it does not have.
  private var listing: FailuresCommand.Format? { .init(rawValue: (format ?? .text).rawValue) }

  /// The format of runs side by side; nil for one that they do not have.
  private var comparison: CompareCommand.Format? { .init(rawValue: (format ?? .markdown).rawValue) }

  func run() throws {
    if runs.count > 1, let comparison { return try CompareCommand.show(runs, judgement, as: comparison) }
    let results = runs.first ?? "results"
    if failures, let listing { return try FailuresCommand.list(results, as: listing) }
    try write(results)
  }

  private func write(_ results: String) throws {
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
