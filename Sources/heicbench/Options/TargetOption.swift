import ArgumentParser
import Model
import Reports
import Sweep

/// The search for a quality that reaches a target.
struct TargetOption: ParsableArguments {
  @Option(
    name: .customLong("target"),
    help: ArgumentHelp(
      "Instead of sweeping qualities, find for every image and codec the lowest quality that reaches a score, such "
        + "as ssimulacra2=80, or the highest that fits a size, such as bytes=200kB.",
      valueName: "metric=score|bytes=size"))
  var text: String?

  /// The target among the metrics that the run knows.
  /// - Throws: `CommandError` that says what is allowed.
  func target(metrics: [MetricTraits]) throws -> QualityTarget? {
    guard let text else { return nil }
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if halves.count == 2, halves[0] == "bytes", let size = ByteCount(argument: halves[1]) {
      return QualityTarget(.bytes(size.bytes))
    }
    if let target = QualityTarget(text, metrics: metrics) {
      if case .score(let metric, let score) = target.goal, let highest = metric.scale?.highest,
        score > highest
      {
        throw CommandError(
          .usage, "--target \(text): \(metric.title) is at most \(Numerals.short(highest))")
      }
      return target
    }
    let names = ["bytes"] + metrics.map(\.id)
    let isKnown = names.contains(halves[0])
    throw CommandError(
      .usage,
      isKnown
        ? "--target \(text): write a number after the =, such as ssimulacra2=80 or bytes=200kB"
        : "--target \(text): there is no “\(halves[0])”\(suggestion(for: halves[0], among: names)); "
          + "there are \(names.joined(separator: ", "))")
  }
}
