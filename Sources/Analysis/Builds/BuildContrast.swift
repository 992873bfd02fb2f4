internal import Foundation
import Model

/// What is followed from build to build.
package enum BuildQuantity: String, Sendable, Hashable, Codable, CaseIterable {
  /// The size of the encoded files.
  case bytes
  /// Their SSIMULACRA2 through the decoder of the run.
  case score
  /// CPU time of the encode.
  case encode
  /// CPU time of the decode.
  case decode

  /// Whether it is the same each time, so that once is enough.
  package var isExact: Bool { self == .bytes || self == .score }
}

/// How far a quantity moved from one build to another, over the same images.
///
/// Sizes and times move by a ratio, in percent; a score moves by points of its scale of 100, so that a threshold of
/// 2 means 2 % of what is counted either way.
package struct BuildContrast: Sendable, Hashable, Codable {
  /// What is known of the change beside a threshold.
  package enum Verdict: String, Sendable, Hashable, Codable {
    /// It is larger, whichever end of its interval is true.
    case moved
    /// It is smaller, whichever end of its interval is true.
    case same
    /// The interval has the threshold in it.
    case undecided
  }

  /// The change: percent, or points of a score.
  package let change: Double
  /// What the change lies between with 99 % confidence; a single value for what is the same each time.
  package let lower, upper: Double
  /// How many rounds of measuring stand behind it.
  package let rounds: Int

  /// Fewer rounds say too little about their own spread.
  package static let fewestRounds = 5
  /// The interval is looked at again and again, until it decides; 99 % leave the whole near 95, since looks are few.
  private static let confidence = 0.99

  /// Whether the interval of so many rounds is looked at to decide: 5, 7, 9, 12, 16, 22, 30, 42, 58, 81 … Looking after
  /// every round would find what is not there more often.
  package static func isLook(_ rounds: Int) -> Bool {
    var look = fewestRounds
    while look < rounds { look = next(look) }
    return look == rounds
  }

  private static func next(_ look: Int) -> Int { look + max(1, look * 2 / 5) }

  /// How many rounds will decide, if the change and its spread stay what they are; nil where the change is at the
  /// threshold and none would, or where nothing is known of the spread.
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

  /// The change between exact values of the same images.
  /// - Returns: nil for no image, or a ratio to nothing.
  package init?(_ quantity: BuildQuantity, before: [Double], after: [Double]) {
    guard let change = Self.mean(quantity, before, after) else { return nil }
    self.init(quantity, mean: change, spread: 0, rounds: 1)
  }

  /// The change between values that differ each time, of which every round has one of each image and build, taken side
  /// by side. The interval is Student's over the rounds' means: it holds for these images on this machine.
  /// - Returns: nil for fewer than two rounds, or a ratio to nothing.
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

  /// The mean over images of the logarithm of the ratio, or of the difference of scores.
  private static func mean(_ quantity: BuildQuantity, _ before: [Double], _ after: [Double]) -> Double? {
    guard !before.isEmpty, before.count == after.count else { return nil }
    let changes = zip(before, after).map { quantity == .score ? $1 - $0 : log($1 / $0) }
    let mean = changes.reduce(0, +) / Double(changes.count)
    return mean.isFinite ? mean : nil
  }

  /// What the change is beside a threshold, in percent or points.
  package func verdict(threshold: Double) -> Verdict {
    let (lowest, highest) = (min(lower, upper), max(lower, upper))
    if lowest > threshold || highest < -threshold { return .moved }
    return lowest >= -threshold && highest <= threshold ? .same : .undecided
  }
}
