import ArgumentParser
import HeicBenchKit

struct BisectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Find the two builds of the libraries between which sizes, scores or times changed.",
    discussion: """
      Compares the first build with the last and, where they differ, bisects the builds between them, measuring no \
      more than necessary. NAME=system means the system's libraries. Sizes and scores are measured once; the times of \
      two builds are measured alternately until the interval decides.

        heicbench bisect photos/ --build 1.15=builds/libheif-0.10.1 --build 1.19=builds/libheif-0.21.0 \
          --build 1.23=builds/libheif-1.8.1 --of bytes,decode
        heicbench bisect photos/ --build now=system --build 1.23=builds/libheif-1.8.1
        heicbench bisect phone/*.heic --as-found --build 1.15=builds/libheif-0.10.1 --build 1.23=builds/libheif-1.8.1
      """)

  @OptionGroup(title: "Images") var corpus: CorpusOptions
  @OptionGroup(title: "Builds, oldest first") var build: BuildOptions

  @Option("The codec and its settings, NAME[:key=value,…], without a build.", value: "codec")
  var codec = "heic"

  @Option("The quality, from 0.0 to 1.0.", value: "quality")
  var quality: Quality = 0.5

  @Flag(help: "Decode the files as they are instead of encoding their pictures.")
  var asFound = false

  @Option(
    "The quantities to compare, comma-separated: bytes, score, encode, decode. (default: bytes,score; with --as-found "
      + "decode)",
    value: "quantities", name: .customLong("of"), transform: { try Self.quantities($0) })
  var wanted: [BisectRequest.Quantity] = []

  @Option("The metrics to score with, comma-separated, or all. (default: ssimulacra2)", value: "metrics")
  var metrics: MetricList?

  @Option(
    "The smallest change that counts, in percent for bytes and times, in points or dB for scores.",
    value: "percent", transform: Limits.threshold.parse)
  var threshold = 2.0

  @Option("The maximum number of rounds when timing two builds.", value: "n", transform: Limits.rounds.parse)
  var rounds = 100

  @Option(
    "The time after which a comparison of times ends, decided or not, such as 90s or 2m; it takes at least five "
      + "rounds.",
    value: "time")
  var comparisonTime = TimeSpan.twoMinutes

  @OptionGroup var sandbox: SandboxOptions

  @Option(help: "Write text for people or json for programs.")
  var format = AnswerFormat.text

  @Flag(name: .shortAndLong, help: "Print only the answer.")
  var quiet = false

  func run() throws {
    let cancellation = try Interruption().cancellation
    let console = BisectConsole(isQuiet: quiet)
    let outcome = try request.run(cancellation: cancellation) { console.show($0) }
    if !outcome.isEmpty {
      if format == .json {
        StandardOutput.write(try outcome.json())
      } else {
        StandardOutput.tell(outcome.text(width: StandardOutput.width))
      }
    }
    if outcome.wasInterrupted { throw ExitCode(ExitStatus.interrupted.rawValue) }
    if let problem = outcome.problem {
      StandardError.notice(problem)
      throw ExitCode(ExitStatus.someFailed.rawValue)
    }
  }

  private var request: BisectRequest {
    var request = BisectRequest(images: corpus.source, builds: build.builds)
    request.scoresThroughBuilds = build.decoder == .own
    request.workers = sandbox.settings
    request.codec = codec
    request.quality = quality
    request.readsFilesAsFound = asFound
    request.quantities = wanted
    if let metrics { request.metrics = metrics.identifiers }
    request.threshold = threshold
    (request.rounds, request.secondsPerComparison) = (rounds, comparisonTime.seconds)
    return request
  }

  private static func quantities(_ text: String) throws -> [BisectRequest.Quantity] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let quantity = BisectRequest.Quantity(rawValue: String(word)) else {
        let known = BisectRequest.Quantity.allCases.map(\.rawValue)
        throw ValidationError(
          "“\(word)” is not a quantity that bisect compares\(suggestion(for: String(word), among: known)); "
            + "available: \(known.joined(separator: ", ")).")
      }
      return quantity
    }
  }
}
