import ArgumentParser
import HeicBenchKit
import Reports

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Compare files that other encoders made from the same originals with your own sweep.",
    discussion: """
      Files are paired with their originals by name (kodim01.heic, kodim01-q50.heic and q50/kodim01.jpg belong to \
      kodim01.png), decoded, compared with the original and scored. All results list them under NAME, without a \
      quality number, and with what each file says about how it was made. A file that shows a different picture, or \
      is cropped, rotated or resized, is refused with the reason, and the exit code is 3.

        heicbench photos/ --output results
        heicbench import --reference photos/ phone=from-phone/ --output results

      docs/import.md has recipes for sips, ImageMagick, ffmpeg, vips, pillow-heif, Lightroom and phones.
      """)

  @Option(
    help: ArgumentHelp("The originals: a file or a folder; repeatable.", valueName: "path"),
    completion: .file())
  var reference: [InputPath]

  @Argument(
    help: ArgumentHelp("A name for an encoder, and the folder of its files.", valueName: "name=folder"),
    completion: .directory)
  var series: [String]

  @Option(
    "A CSV file that assigns files to originals, with the columns “reference” and “file”. A “bytes” column gives the size "
      + "of the file from which a picture was decoded, for formats that heicbench does not read.",
    value: "csv",
    completion: .file())
  var pairs: String?

  @OptionGroup var excluded: ExcludeOptions
  @OptionGroup var results: FolderOptions

  @Option(
    "A metric of your own that the sweep in the results used: the same name and program. Without it, files get "
      + "no scores for this metric.", value: "name[:lower|:higher]='program …'",
    name: .customLong("metric-command"))
  var metricCommands: [MetricCommand] = []

  @OptionGroup var work: JobOptions

  @Flag(help: "Examine every file again, even those in the results.")
  var fresh = false

  @OptionGroup var console: QuietOption

  @OptionGroup(title: "Comparison") var judgement: JudgementOptions
  @OptionGroup(title: "The page") var page: PageOptions

  func validate() throws {
    try refuse(reference.isEmpty, "Name the originals with --reference.")
    _ = try pairedSeries()
  }

  func run() throws {
    let cancellation = try Interruption().cancellation
    let outcome = try request().run(
      cancellation: cancellation, events: JobConsole(unit: "files", isQuiet: console.quiet).show)
    for refusal in outcome.refusals {
      StandardError.notice("\(refusal.series): “\(refusal.file)” is left out: \(refusal.reason)")
    }
    console.say(outcome.sentences)
    if !console.quiet {
      StandardError.notice(
        "\(Numerals.counted(outcome.files, "file")) imported; see \(outcome.folder)/report.html")
    }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: !outcome.refusals.isEmpty)
  }

  private func request() throws -> ImportRequest {
    var request = ImportRequest(
      reference: reference, series: try pairedSeries(), output: results.output)
    request.pairs = pairs
    request.reference.excluded = excluded.patterns
    request.command = ["heicbench"] + CommandLine.arguments.dropFirst()
    request.isFresh = fresh
    request.metricCommands = metricCommands
    request.judgement = judgement.judgement
    request.page = page.settings
    request.workers = work.settings
    return request
  }

  private func pairedSeries() throws -> [ImportRequest.Series] {
    try series.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw ValidationError("“\(text)”: write NAME=FOLDER, such as phone=from-phone/.")
      }
      let folder = InputPath(argument: text).bytes.dropFirst(parts[0].utf8.count + 1)
      return .init(name: String(parts[0]), folder: InputPath(bytes: Array(folder)))
    }
  }
}
