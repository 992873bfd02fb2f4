import Analysis
import ArgumentParser
import Foundation

/// How the gate judges, and where it says so.
struct GateOptions: ParsableArguments {
  @Option(
    name: .customLong("threshold"),
    help: ArgumentHelp(
      "How much worse something may get; repeat it for several. Keys: "
        + "\(GateThresholds.keys.joined(separator: ", ")), or a metric.", valueName: "key=value"),
    transform: { try ThresholdArgument(parsing: $0) })
  var thresholds: [ThresholdArgument] = []

  @Option(
    help: ArgumentHelp(
      "A file of thresholds. (default: \(GateConfiguration.fileName), where there is one)", valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Fail on a regression alone, or on improvement too, so that the baseline gets refreshed. "
        + "(default: regression)", valueName: "what"))
  var failOn: GateConfiguration.FailOn?

  @Flag(help: "Replace the baseline when things only got better.")
  var ratchet = false

  @Option(help: ArgumentHelp("Also write JUnit XML to this file.", valueName: "file"), completion: .file())
  var junit: String?

  /// The file's settings with the flags over them.
  func configuration() throws -> GateConfiguration {
    var configuration = try GateConfiguration.read(config)
    if let failOn { configuration.failOn = failOn }
    return configuration
  }

  /// The thresholds that flags set, the last of equal keys.
  var flags: [String: Double] {
    Dictionary(thresholds.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
  }
}

extension GateConfiguration.FailOn: ExpressibleByArgument {}

/// What `--threshold` takes: `total-bytes=0.5`.
struct ThresholdArgument: Equatable {
  let key: String
  let value: Double

  init(parsing text: String) throws {
    let halves = text.split(separator: "=", omittingEmptySubsequences: false)
    let key = String(halves[0])
    guard halves.count == 2,
      let value = Double(halves[1]) ?? GateConfiguration.percentage(String(halves[1]), of: key),
      value.isFinite, value >= 0
    else {
      throw ValidationError(
        "Write KEY=VALUE with a number from 0 up, such as total-bytes=0.5; percentages may have their sign.")
    }
    self.key = key
    self.value = value
  }
}
