import ArgumentParser
import HeicBenchKit

struct RecommendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recommend",
    abstract: "Recommend the codec, settings and quality that meet your requirements.",
    discussion: """
      From measured points: for each codec the quality with the fewest bytes that meets all requirements, the score in \
      90 % of the run's images (--for), with the worst image and ready-made commands. Savings are relative to the run's \
      first codec at equal score. If no measured quality meets all of them, the exit code is 3 and each codec is listed \
      with what it lacks.

        heicbench photos/ --codec jpeg --codec 'heic:preset={fast,medium,slow}'
        heicbench recommend results --score 70 --saves 25% --encode-cpu 500ms/MP
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json }

  @Argument(help: "A results folder or a measurements.csv.", completion: .directory)
  var results = "results"

  @Option(
    help: ArgumentHelp(
      "The lowest acceptable score. (default: the headline's, 70 for ssimulacra2)", valueName: "score"))
  var score: Double?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "The share of images that must reach the score. (default: 90 %)", valueName: "percent"),
    transform: { try Amount(parsing: $0, units: ["%"]) })
  var share = Amount(value: 90)

  @Option(
    help: ArgumentHelp(
      "The smallest acceptable saving over the first codec at equal score.", valueName: "percent"),
    transform: { try Amount(parsing: $0, units: ["%"]) })
  var saves: Amount?

  @Option(
    name: .customLong("encode-cpu"),
    help: ArgumentHelp("The maximum CPU time of the encode, such as 500ms/MP.", valueName: "time"),
    transform: { try Amount(parsing: $0, units: ["ms/MP", "ms"]) })
  var encodeCPU: Amount?

  @Option(
    name: .customLong("decode-cpu"),
    help: ArgumentHelp("The maximum CPU time of the decode, such as 50ms/MP.", valueName: "time"),
    transform: { try Amount(parsing: $0, units: ["ms/MP", "ms"]) })
  var decodeCPU: Amount?

  @Option(
    name: .customLong("codec"),
    help: ArgumentHelp("Consider only this codec or variant; repeatable.", valueName: "codec"))
  var codecs: [String] = []

  @Option(
    help: ArgumentHelp("The metric of --score. (default: ssimulacra2)", valueName: "metric"))
  var headline: String?

  @Option(help: "Write text or json.")
  var format = Format.text

  func run() throws {
    var request = RecommendRequest(results: results)
    request.wishes.score = score
    request.wishes.share = share.value / 100
    request.wishes.savingPercent = saves?.value
    (request.wishes.cpu[.encode], request.wishes.cpu[.decode]) = (encodeCPU?.value, decodeCPU?.value)
    request.wishes.codecs = codecs
    request.judgement.headline = headline
    let outcome = try request.run()
    StandardOutput.write(format == .json ? outcome.json : outcome.text)
    if !outcome.isFulfilled { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}

/// A number with or without its unit, such as `25%`.
struct Amount: CustomStringConvertible {
  var value: Double

  init(value: Double) { self.value = value }

  /// Parses a number that one of these units may follow.
  init(parsing text: String, units: [String]) throws {
    let unit = units.first { text.lowercased().hasSuffix($0.lowercased()) }
    let number = text.dropLast(unit?.count ?? 0)
    guard let value = Double(number), value.isFinite else {
      throw ValidationError("“\(text)” is not a number; write it as in 25\(units[0]).")
    }
    self.value = value
  }

  var description: String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
