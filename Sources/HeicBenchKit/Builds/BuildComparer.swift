import Analysis
import Model
import Reports
import Workers

/// Measures pairs of builds until their difference is known well enough.
final class BuildComparer {
  /// Divisor for the time limit of a round: with many images, a round takes only a part of them.
  private static let shortestRounds = 10.0

  private let meter: BuildMeter
  private let request: BisectRequest
  private let events: @Sendable (BisectEvent) -> Void
  private var encoded: [Int: [BuildMeter.Encoded]] = [:]
  private var turns = BuildTurns(seed: 1)
  private var comparisons = 0

  init(
    _ meter: BuildMeter, _ request: BisectRequest, _ events: @escaping @Sendable (BisectEvent) -> Void
  ) {
    (self.meter, self.request, self.events) = (meter, request, events)
  }

  func begin() { comparisons = 0 }

  /// Returns the change of the quantity from build `before` to build `after`.
  func compare(_ quantity: BuildQuantity, _ before: Int, _ after: Int) throws -> BuildContrast {
    comparisons += 1
    var progress = BisectProgress(
      quantity: quantity, before: request.builds[before].name, after: request.builds[after].name,
      comparison: comparisons, mostComparisons: 2 * request.builds.count - 3)
    events(.began(progress))
    let contrast = try quantity.isExact ? exact(quantity, before, after) : timed(before, after, &progress)
    guard let contrast else {
      throw BuildMeter.Problem(
        "\(quantity.rawValue) of \(progress.before) and \(progress.after) cannot be compared: an image has none"
      )
    }
    progress.note(contrast, request)
    events(.compared(progress))
    return contrast
  }

  private func exact(_ quantity: BuildQuantity, _ before: Int, _ after: Int) throws -> BuildContrast? {
    let values = try [before, after].map { build in
      let files = try encoded[build] ?? meter.encode(build)
      encoded[build] = files
      return files.compactMap { quantity == .bytes ? Double($0.bytes) : $0.score }
    }
    return BuildContrast(quantity, before: values[0], after: values[1])
  }

  /// Adds rounds until the interval decides or the time or rounds run out.
  private func timed(_ before: Int, _ after: Int, _ progress: inout BisectProgress) throws -> BuildContrast? {
    let quantity = progress.quantity
    var rounds: [(before: [Double], after: [Double])] = []
    let start = MonotonicClock.now()
    while true {
      let round = try meter.round(
        before, after, within: request.secondsPerComparison / Self.shortestRounds, turns: &turns)
      let values = { (times: [BuildMeter.Times]) in
        times.compactMap { quantity == .encode ? $0.encode : $0.decode }
      }
      rounds.append((values(round.before), values(round.after)))
      progress.seconds = Double(MonotonicClock.now() - start) / 1e9
      (progress.rounds, progress.images, progress.allImages) = (
        rounds.count, rounds.map(\.before.count).max() ?? 0, meter.count
      )
      let contrast = BuildContrast(quantity, rounds: rounds)
      progress.note(contrast, request)
      events(.round(progress))
      guard rounds.count >= BuildContrast.fewestRounds else { continue }
      guard let contrast else { return nil }
      let isLast = rounds.count >= request.rounds || progress.seconds >= request.secondsPerComparison
      let isDecided =
        BuildContrast.isLook(rounds.count)
        && contrast.verdict(threshold: request.threshold) != .undecided
      if isLast || isDecided { return contrast }
    }
  }
}
