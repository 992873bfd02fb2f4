import ArgumentParser
import HeicBenchKit

struct GenerationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generations", abstract: "Measure generation loss: encode, decode, encode again.",
    discussion: """
      Encodes each image, decodes it, encodes the result, and so on, at the same quality, and scores every generation \
      against the original. Writes generations.html, generations.md, generations.csv, generations.json and \
      generations.svg into the results folder.

        heicbench generations corpus/ --score 80
        heicbench generations corpus/ --codec 'heic:chroma={420,444}' --qualities 0.5,0.9 --generations 10
      """)

  @OptionGroup(title: "Images") var corpus: CorpusOptions

  @Option(
    "A codec and its settings, NAME[:key=value,…]; repeatable. (default: jpeg and heic)", value: "codec")
  var codec: [CodecList] = []

  @Option("The qualities to encode at, one curve each. (default: 0.5,0.7,0.9)", value: "qualities")
  var qualities: QualityList?

  @Option(
    "Instead of --qualities: for every image and codec the lowest quality at which the first generation "
      + "reaches this SSIMULACRA2, so that all codecs start equal.", value: "score")
  var score: Double?

  @Option("The number of encodes in a row, 2 to 100.", value: "n", transform: Limits.generations.parse)
  var generations = 5

  @Option("Metrics, comma-separated, or all. (default: those of a sweep)", value: "metrics")
  var metrics = MetricList.usual

  @OptionGroup(title: "Execution") var workers: WorkerOptions

  @OptionGroup var earlier: ReuseOptions

  @OptionGroup var results: FolderOptions
  @OptionGroup var console: QuietOption

  func validate() throws {
    try refuse(
      qualities != nil && score != nil, "--score finds the qualities itself; leave out --qualities.")
  }

  func run() throws {
    let cancellation = try Interruption().cancellation
    var request = GenerationsRequest(images: corpus.source, output: results.output)
    request.codecs = codec.flatMap(\.variants)
    StandardError.noticeRepeated(request.codecs)
    if let qualities { request.qualities = qualities.qualities }
    (request.score, request.generations, request.metrics) = (score, generations, metrics.identifiers)
    request.workers = workers.settings
    request.reuse = earlier.reuse
    let job = JobConsole(unit: "chains", isQuiet: console.quiet)
    let outcome = try request.run(cancellation: cancellation, events: job.show)
    try job.close(outcome, table: "generations.csv")
  }
}
