import ArgumentParser
import HeicBenchKit

struct RecommendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recommend",
    abstract: "Recommend the codec, settings and quality that meet your requirements.",
    discussion: """
      For each codec, finds the lowest quality at which 90 % of the run's images (--share) reach the score and all \
      other requirements are met, and shows the worst image and ready-made commands. Savings are relative to the run's \
      first codec at equal score. If no quality meets all requirements, the exit code is 3 and each codec is listed \
      with what it lacks. With --for, formats that everyone on that platform can display come first; \
      for the web there is also a <picture> element.

        heicbench photos/ --codec jpeg --codec 'heic:preset={fast,medium,slow}'
        heicbench recommend results --score 70 --saves 25% --encode-cpu 500ms/MP
        heicbench recommend results --for web
      """)

  @Argument(help: "A results folder or a measurements.csv. (default: results)", completion: .directory)
  var results: String?

  @Option("The lowest acceptable score. (default: the headline's, 70 for ssimulacra2)", value: "score")
  var score: Double?

  @Option(
    "Where the files will be shown: web, apple, android or archive.", value: "place",
    name: .customLong("for"))
  var purpose: Purpose?

  @Option(
    "The share of images that must reach the score. (default: 90 %)", value: "percent",
    transform: { try Self.amount($0, units: ["%"]) })
  var share: Double?

  @Option(
    "The smallest acceptable saving over the first codec at equal score.", value: "percent",
    transform: { try Self.amount($0, units: ["%"]) })
  var saves: Double?

  @Option(
    "The maximum CPU time of the encode, such as 500ms/MP.", value: "time", name: .customLong("encode-cpu"),
    transform: { try Self.amount($0, units: ["ms/MP", "ms"]) })
  var encodeCPU: Double?

  @Option(
    "The maximum CPU time of the decode, such as 50ms/MP.", value: "time", name: .customLong("decode-cpu"),
    transform: { try Self.amount($0, units: ["ms/MP", "ms"]) })
  var decodeCPU: Double?

  @Option(
    name: .customLong("codec"),
    help: ArgumentHelp("Consider only this codec or variant; repeatable.", valueName: "codec"))
  var codecs: [String] = []

  @Option("The metric of --score. (default: ssimulacra2)", value: "metric")
  var headline: String?

  @Option(help: "Write text or json.")
  var format = AnswerFormat.text

  func run() throws {
    var request = RecommendRequest(results: results ?? "results")
    request.wishes.score = score
    if let share { request.wishes.share = share / 100 }
    request.wishes.savingPercent = saves
    (request.wishes.cpu[.encode], request.wishes.cpu[.decode]) = (encodeCPU, decodeCPU)
    // Results name a codec without the settings that equal its defaults.
    request.wishes.codecs = codecs.map { (try? CodecVariant(parsing: $0))?.name ?? $0 }
    request.wishes.purpose = purpose
    request.judgement.headline = headline
    let outcome = try request.run()
    if format == .json {
      StandardOutput.write(outcome.json)
    } else {
      StandardOutput.tell(outcome.text(width: StandardOutput.width))
    }
    if !outcome.isFulfilled { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Parses a number with an optional unit, such as `25%`.
  static func amount(_ text: String, units: [String]) throws -> Double {
    let unit = units.first { text.lowercased().hasSuffix($0.lowercased()) }
    guard let value = Double(text.dropLast(unit?.count ?? 0)), value.isFinite else {
      throw ValidationError("“\(text)” is not a number; write, for example, 25\(units[0]).")
    }
    return value
  }
}
