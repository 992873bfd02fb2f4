import ArgumentParser
import HeicBenchKit
import Model

struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract:
      "Search for a codec's best settings: fewest bytes at equal quality, with and without a limit on CPU time.",
    discussion: """
      Tries the settings that the codec lists as worth trying, one by one and then together, and keeps those that, \
      image by image, take fewer bytes at the score. A third of the images, chosen by --seed, or those of \
      --confirm, take no part in the search; the figures in the answer come from them, with a 95 % interval and two \
      metrics of other families. Writes tune.html, tune.md, tune.csv, tune.json and tune.svg into the results folder, \
      and keeps every point there: the same command continues where it stopped.

        heicbench tune photos/ --codec heic
        heicbench tune photos/ --codec heic --score 80 --cpu 600ms/MP --budget 15m
        heicbench tune photos/ --confirm other-photos/ --codec avif@av --build av=builds/libavif-1.6.0
      """)

  @OptionGroup(title: "Images") var corpus: CorpusOptions

  @Option(
    "A folder of images to confirm the settings on, instead of setting a third aside.", value: "folder",
    completion: .directory)
  var confirm: InputPath?

  @Option("The seed that chooses the images to set aside.", value: "number")
  var seed: UInt64 = 1

  @Option(
    "The codec and the settings to start from, which the answers are compared with: NAME[@BUILD][:key=value,…].",
    value: "codec")
  var codec: CodecVariant = CodecVariant(codec: "heic")

  @Option(
    "Settings that the search does not change, comma-separated: chroma,depth for files that every decoder reads.",
    value: "names", transform: { $0.split(separator: ",").map(String.init) })
  var keep: [String]?

  @OptionGroup var libraries: LibraryOptions

  @Option("The SSIMULACRA2 score at which bytes are compared.", value: "score")
  var score = 70.0

  @Option(
    "The maximum CPU time of an encode, such as 600ms/MP. (default: that of --codec)", value: "time",
    transform: { try RecommendCommand.amount($0, units: ["ms/MP", "ms"]) })
  var cpu: Double?

  @Option(
    "First downscale every image by this factor in each direction.", value: "n",
    transform: Limits.downscale.parse)
  var downscale = 1

  @OptionGroup(title: "Execution") var workers: WorkerOptions

  @Option(
    "Stop after this long, such as 90s or 15m: 70 % of it for the search, the rest for the confirmation; exit "
      + "code 4 if that was not enough.", value: "time")
  var budget: TimeSpan?

  @OptionGroup var results: FolderOptions

  @Flag(help: "Retry what failed before.")
  var retryFailed = false

  @Option(help: "Write text for people or json for programs.")
  var format = AnswerFormat.text

  @Flag(name: .shortAndLong, help: "Print only the answer.")
  var quiet = false

  func run() throws {
    let cancellation = try Interruption().cancellation
    var request = TuneRequest(images: corpus.source, output: results.output)
    (request.codec, request.builds, request.keptSettings) = (codec, libraries.builds, keep ?? [])
    (request.score, request.cpu, request.seed, request.downscale) = (score, cpu, seed, downscale)
    if let confirm {
      var source = corpus.source
      (source.paths, source.list, source.limit, source.shard) = ([confirm], nil, nil, nil)
      request.confirmation = source
    }
    (request.budget, request.workers) = (budget?.seconds, workers.settings)
    request.retriesFailed = retryFailed
    request.command = ["heicbench"] + CommandLine.arguments.dropFirst()
    let outcome = try request.run(
      cancellation: cancellation, events: JobConsole(unit: "images", isQuiet: quiet).show)
    switch format {
    case .json: StandardOutput.write(try outcome.json)
    case .text: StandardOutput.tell(outcome.text(width: StandardOutput.width))
    }
    if outcome.ranOutOfTime { throw ExitCode(ExitStatus.budgetSpent.rawValue) }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: false)
  }
}
