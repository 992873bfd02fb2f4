import Analysis
import ArgumentParser
import Foundation
import HeicBenchKit

struct GateOptions: ParsableArguments {
  @Option(
    "How much worse a quantity may get; repeatable. Keys: "
      + "\(GateThresholds.keys.joined(separator: ", ")), or a metric.", value: "key=value",
    name: .customLong("threshold"))
  var thresholds: [ThresholdArgument] = []

  @Option(
    "A file of thresholds. (default: \(GateConfiguration.fileName), if there is one)", value: "file",
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @Option(
    "Fail on a regression only, or on an improvement as well, so that the baseline gets refreshed. "
      + "(default: regression)", value: "what")
  var failOn: GateConfiguration.FailOn?

  @Flag(help: "Replace the baseline if everything stayed equal or improved.")
  var ratchet = false

  @Option("Also write JUnit XML to this file.", value: "file", completion: .file())
  var junit: String?

  /// The first of these options that was given.
  var given: String? {
    [
      (!thresholds.isEmpty, "--threshold"), (config != nil, "--config"), (failOn != nil, "--fail-on"),
      (ratchet, "--ratchet"), (junit != nil, "--junit"),
    ].first(where: \.0)?.1
  }

  func request(baseline: String, judgement: JudgementOptions) -> GateRequest {
    var request = GateRequest(baseline: baseline)
    request.thresholds = Dictionary(
      thresholds.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    request.configuration = config
    request.failsOnImprovement = failOn.map { $0 == .improvement }
    request.replacesBaseline = ratchet
    request.junit = junit
    request.summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"].flatMap {
      $0.isEmpty ? nil : $0
    }
    request.judgement = judgement.judgement
    return request
  }
}

extension GateConfiguration.FailOn: ExpressibleByArgument {}

/// The value of `--threshold`: `total-bytes=0.5`.
struct ThresholdArgument: ParsedValue, Equatable {
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
        "Write KEY=VALUE with a number from 0 up, such as total-bytes=0.5; percentages may end in %.")
    }
    self.key = key
    self.value = value
  }
}
