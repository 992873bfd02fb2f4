import ArgumentParser
import HeicBenchKit
import Metrics

struct ConvertCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert-check",
    abstract: "Estimate what converting the files of a folder would save, cost and lose.",
    discussion: """
      Measures a sample of the files as they are. For each codec and score it finds the lowest quality at which nine \
      in ten files reach the score against the file itself, encodes every file of the sample at that quality, and \
      projects their bytes and encode CPU time to the folder with a 95 % interval. An estimate with the codec's fast \
      settings comes first. Lists what the files contain besides their pictures (metadata, thumbnails, depth and gain \
      maps, bursts) and how much of that a conversion would keep. Nothing is converted.

        heicbench convert-check photos/
        heicbench convert-check photos/ --codec heic --codec avif --codec jxl:recompress=true
        heicbench convert-check photos/ --score 80,90 --sample 30 --format json
      """)

  @OptionGroup(title: "Files") var corpus: CorpusOptions

  @Option(
    "The score (SSIMULACRA2) that nine in ten converted files must reach against the original file, or several, "
      + "comma-separated. From 85 up, both halved and full chroma are tried. Score guide (viewed at "
      + "100 %): \(MetricTraits.words(for: [90, 80, 70])).",
    value: "scores"
  )
  var score = ScoreList(80, 90)

  @Option(
    "A codec and its settings, NAME[:key=value,…]; repeatable. jxl:recompress=true recompresses JPEG files losslessly. "
      + "(default: heic)", value: "codec")
  var codec: [CodecList] = []

  @Option(
    "The number of files to measure. (default: 12, or up to 36 with many kinds of files)", value: "n",
    transform: Limits.sample.parse)
  var sample: Int?

  @Option("The seed of the sample: the same number draws the same files.", value: "number")
  var seed: UInt64 = 1

  @OptionGroup(title: "Execution") var workers: WorkerOptions

  @Option(
    "Stop after this long, such as 90s or 2m, and report on the files done by then; exit code 4 if files "
      + "are missing.", value: "time")
  var budget: TimeSpan?

  @Option(help: "Write text for people or json for programs.")
  var format = AnswerFormat.text

  @Flag(name: .shortAndLong, help: "Print only the answer.")
  var quiet = false

  func run() throws {
    let cancellation = try Interruption().cancellation
    var request = ConversionRequest(images: corpus.source)
    (request.codecs, request.scores) = (codec.flatMap(\.variants), score.scores)
    (request.sample, request.seed, request.workers) = (sample, seed, workers.settings)
    request.budget = budget?.seconds
    StandardError.noticeRepeated(request.codecs)
    let outcome = try request.run(
      cancellation: cancellation, events: JobConsole(unit: "files", isQuiet: quiet).show)
    if outcome.isEmpty {
      let reason = outcome.ranOutOfTime ? "the budget ran out" : "interrupted"
      StandardError.notice("\(reason) before any file was done; a smaller --sample takes less time")
    }
    if format == .json {
      StandardOutput.write(outcome.json)
    } else if !outcome.isEmpty {
      StandardOutput.tell(outcome.text(width: StandardOutput.width))
    }
    if outcome.ranOutOfTime { throw ExitCode(ExitStatus.budgetSpent.rawValue) }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: !outcome.failures.isEmpty)
  }
}
