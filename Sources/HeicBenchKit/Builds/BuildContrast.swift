import Analysis
import Foundation
import Model

/// Quantity followed from build to build.
package enum BuildQuantity: String, Sendable, Hashable, Codable, CaseIterable {
  case bytes
  /// SSIMULACRA2 through the decoder of the run.
  case score
  case encode
  case decode

  /// True if measuring once is enough.
  package var isExact: Bool { self == .bytes || self == .score }
}

/// Change of a quantity from one build to another, over the same images.
///
/// Sizes and times change by a ratio, in percent; a score changes by points of its scale of 100. So a threshold of 2
/// means 2 % of the quantity or 2 points.
package struct BuildContrast: Sendable, Hashable, Codable {
  /// Position of the change relative to a threshold.
  package enum Verdict: String, Sendable, Hashable, Codable {
    /// Larger over the whole interval.
    case moved
    /// Smaller over the whole interval.
    case same
    /// The interval contains the threshold.
    case undecided
  }

  /// Percent, or points of a score.
  package let change: Double
  /// Ends of the 99 % interval; both are the change for an exact quantity.
  package let lower, upper: Double
  /// Rounds of measuring behind the change.
  package let rounds: Int

  /// Fewer rounds say too little about their own spread.
  package static let fewestRounds = 5
  /// The interval is checked repeatedly until it decides; at 99 % each, the few checks keep the whole near 95 %.
  private static let confidence = 0.99

  /// Returns true for the numbers of rounds at which the interval is checked: 5, 7, 9, 12, 16, 22, 30, 42, 58, 81 … A
  /// check after every round would raise the rate of false findings.
  package static func isLook(_ rounds: Int) -> Bool {
    var look = fewestRounds
    while look < rounds { look = next(look) }
    return look == rounds
  }

  private static func next(_ look: Int) -> Int { look + max(1, look * 2 / 5) }

  /// Returns the rounds needed to decide if the change and its spread persist; nil if the change is at the threshold,
  /// so that no number would do, or if the spread is unknown.
  package func roundsToDecide(threshold: Double) -> Int? {
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
  /// - Returns: nil without images, or for a ratio to zero.
  package init?(_ quantity: BuildQuantity, before: [Double], after: [Double]) {
    guard let change = Self.mean(quantity, before, after) else { return nil }
    self.init(quantity, mean: change, spread: 0, rounds: 1)
  }

  /// Compares values that vary, measured side by side: each round has one of each image and build. The interval is
  /// Student's over the rounds' means and holds for these images on this machine.
  /// - Returns: nil for fewer than two rounds, or a ratio to zero.
  package init?(_ quantity: BuildQuantity, rounds: [(before: [Double], after: [Double])]) {
    let changes = rounds.compactMap { Self.mean(quantity, $0.before, $0.after) }
    guard changes.count == rounds.count, changes.count > 1 else { return nil }
    let count = Double(changes.count)
    let mean = changes.reduce(0, +) / count
    let variance = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let t = StudentT.quantile(central: Self.confidence, degreesOfFreedom: changes.count - 1)
    self.init(quantity, mean: mean, spread: t * (variance / count).squareRoot(), rounds: changes.count)
  }

  private init(_ quantity: BuildQuantity, mean: Double, spread: Double, rounds: Int) {
    let shown = { (value: Double) in quantity == .score ? value : (exp(value) - 1) * 100 }
    (change, lower, upper) = (shown(mean), shown(mean - spread), shown(mean + spread))
    self.rounds = rounds
  }

  /// Returns the mean over images of the log ratio, or of the difference of scores.
  private static func mean(_ quantity: BuildQuantity, _ before: [Double], _ after: [Double]) -> Double? {
    guard !before.isEmpty, before.count == after.count else { return nil }
    let changes = zip(before, after).map { quantity == .score ? $1 - $0 : log($1 / $0) }
    return changes.mean.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Compares the change with a threshold in percent or points.
  package func verdict(threshold: Double) -> Verdict {
    let (lowest, highest) = (min(lower, upper), max(lower, upper))
    if lowest > threshold || highest < -threshold { return .moved }
    return lowest >= -threshold && highest <= threshold ? .same : .undecided
  }
}
