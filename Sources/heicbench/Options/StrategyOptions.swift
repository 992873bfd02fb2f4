import ArgumentParser
import HeicBenchKit

/// Qualities measured besides the named ones or in their place.
struct StrategyOptions: ParsableArguments {
  enum Refinement: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Option(
    "Instead of sweeping qualities, find for every image and codec the lowest quality that reaches a score, such "
      + "as ssimulacra2=80, or the highest that fits a size, such as bytes=200kB.",
    value: "metric=score|bytes=size")
  var target: String?

  @Option(
    "on: after the qualities, also measure those that the figures at the scores of --at and at the ends of --band "
      + "need, even below the lowest and above the highest quality; off: only the qualities, and no figure "
      + "where they are too far apart.", value: "on|off")
  var refine = Refinement.on

  func apply(to request: inout SweepRequest) {
    request.target = target
    request.refines = refine == .on
  }
}
