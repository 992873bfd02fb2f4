import Analysis
import Foundation
import Model

enum BuildQuantity: Sendable, Hashable {
  case bytes
  /// A score of the encoded files, decoded by the run's decoder.
  case score(MetricTraits)
  /// CPU time.
  case time(TimedOperation)

  var metric: MetricTraits? { if case .score(let metric) = self { metric } else { nil } }
  var operation: TimedOperation? { if case .time(let operation) = self { operation } else { nil } }
  var isExact: Bool { operation == nil }

  var title: String { metric?.title ?? operation.map { "\($0.title) CPU time" } ?? "Bytes" }

  var unit: String {
    guard let metric else { return "%" }
    return metric.curveScale != .identity ? "dB" : metric.unit.isEmpty ? "points" : metric.unit
  }

  /// The change of an image's value, in units or as the logarithm of a ratio. Metrics whose
  /// curves are in decibels change in decibels, and rise with the distance if they measure one.
  fileprivate func change(from before: Double, to after: Double) -> Double {
    guard let metric else { return log(after / before) }
    guard before != after else { return 0 }
    return switch metric.curveScale {
    case .identity: after - before
    case .decibelsBelowOne: 10 * log10((1 - before) / (1 - after))
    case .decibels: 10 * log10(after / before)
    }
  }
}

/// The change of a quantity from one build to another, over the same images.
///
/// Sizes and times change by a ratio, in percent; a score changes by points or decibels. So a threshold of 2 means 2 %
/// of the quantity, 2 points of SSIMULACRA2 or 2 dB.
struct BuildContrast: Sendable, Hashable, Encodable {
  /// Position of the change relative to a threshold.
  enum Verdict: String, Sendable, Encodable {
    /// Larger over the whole interval.
    case moved
    /// Smaller over the whole interval.
    case same
    /// The interval contains the threshold.
    case undecided
  }

  let change: Double
  /// Ends of the 99 % interval; both are the change for an exact quantity.
  let lower, upper: Double
  let rounds: Int

  /// With fewer rounds, their spread is too uncertain.
  static let fewestRounds = 5
  /// The interval is checked repeatedly until it decides. At 99 % per check, the few checks together stay near 95 %.
  private static let confidence = 0.99

  /// Returns true for the numbers of rounds at which the interval is checked: 5, 7, 9, 12, 16, 22, 30, 42, 58, 81 …
  /// Checking after every round would raise the rate of false findings.
  static func isLook(_ rounds: Int) -> Bool {
    var look = fewestRounds
    while look < rounds { look = next(look) }
    return look == rounds
  }

  private static func next(_ look: Int) -> Int { look + max(1, look * 2 / 5) }

  /// Returns the rounds needed to decide if the change and its spread persist; nil if the change equals the threshold,
  /// so that no number is enough, or if the spread is unknown.
  func roundsToDecide(threshold: Double) -> Int? {
    let gap = abs(abs(change) - threshold)
    let half = (upper - lower) / 2
    guard gap > 0, half.isFinite, half > 0 else { return nil }
    let wanted = (Double(rounds) * (half / gap) * (half / gap)).rounded(.up)
    guard wanted < 1e6 else { return nil }
    var look = Self.fewestRounds
    while look < max(Int(wanted), rounds) { look = Self.next(look) }
    return look
  }

  /// Compares exact values of the same images.
  /// - Returns: Nil without images, or for a ratio to zero.
  init?(_ quantity: BuildQuantity, before: [Double], after: [Double]) {
    guard let change = Self.mean(quantity, before, after) else { return nil }
    self.init(quantity, mean: change, spread: 0, rounds: 1)
  }

  /// Compares values that vary, measured alternately: each round has one value per image and build. The interval is
  /// Student's over the rounds' means and holds for these images on this machine.
  /// - Returns: Nil for fewer than two rounds, or for a ratio to zero.
  init?(_ quantity: BuildQuantity, rounds: [(before: [Double], after: [Double])]) {
    let changes = rounds.compactMap { Self.mean(quantity, $0.before, $0.after) }
    guard changes.count == rounds.count, changes.count > 1 else { return nil }
    let count = Double(changes.count)
    let mean = changes.reduce(0, +) / count
    let variance = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let t = StudentT.quantile(central: Self.confidence, degreesOfFreedom: changes.count - 1)
    self.init(quantity, mean: mean, spread: t * (variance / count).squareRoot(), rounds: changes.count)
  }

  private init(_ quantity: BuildQuantity, mean: Double, spread: Double, rounds: Int) {
    let shown = { (value: Double) in quantity.metric == nil ? (exp(value) - 1) * 100 : value }
    (change, lower, upper) = (shown(mean), shown(mean - spread), shown(mean + spread))
    self.rounds = rounds
  }

  private static func mean(_ quantity: BuildQuantity, _ before: [Double], _ after: [Double]) -> Double? {
    guard before.count == after.count else { return nil }
    return zip(before, after).map(quantity.change).mean.flatMap { $0.isFinite ? $0 : nil }
  }

  func verdict(threshold: Double) -> Verdict {
    let (lowest, highest) = (min(lower, upper), max(lower, upper))
    if lowest > threshold || highest < -threshold { return .moved }
    return lowest >= -threshold && highest <= threshold ? .same : .undecided
  }
}

/// Searches builds, oldest first, for the neighbours between which a quantity moved.
///
/// It compares the ends first. If they differ, it halves the stretch, and then each half that differs. It does not see
/// a change that a later build reverts.
struct Bisection: Sendable, Encodable {
  struct Step: Sendable, Encodable {
    let before: Int
    let after: Int
    let contrast: BuildContrast
    let verdict: BuildContrast.Verdict
  }

  private enum CodingKeys: String, CodingKey {
    case name = "quantity"
    case metric, threshold, steps, moves, gradual
  }

  let quantity: BuildQuantity
  private let name: String
  private let metric: String?
  let threshold: Double
  private(set) var steps: [Step] = []
  /// Indices in `steps` of neighbours between which the quantity moved.
  private(set) var moves: [Int] = []
  /// Indices in `steps` of stretches whose change is below the threshold in each half.
  private(set) var gradual: [Int] = []

  init(
    _ quantity: BuildQuantity, count: Int, threshold: Double,
    compare: (_ before: Int, _ after: Int) throws -> BuildContrast
  ) rethrows {
    (self.quantity, self.threshold, metric) = (quantity, threshold, quantity.metric?.id)
    name = quantity.operation?.rawValue ?? (metric == nil ? "bytes" : "score")
    if count > 1 { _ = try search(0, count - 1, compare) }
  }

  /// Searches between two builds; returns true if they differ.
  private mutating func search(
    _ before: Int, _ after: Int, _ compare: (Int, Int) throws -> BuildContrast
  ) rethrows -> Bool {
    let contrast = try compare(before, after)
    let verdict = contrast.verdict(threshold: threshold)
    let step = steps.count
    steps.append(Step(before: before, after: after, contrast: contrast, verdict: verdict))
    guard verdict == .moved else { return false }
    guard after - before > 1 else {
      moves.append(step)
      return true
    }
    let middle = (before + after) / 2
    let older = try search(before, middle, compare)
    let newer = try search(middle, after, compare)
    if !older, !newer { gradual.append(step) }
    return true
  }
}
