import Foundation

/// A person's threshold for one codec, from the answers of a blind test.
package struct BlindThreshold: Sendable, Hashable {
  package struct Answer: Sendable, Hashable {
    package var score: Double
    package var isRight: Bool
    package var isCatch: Bool

    package init(score: Double, isRight: Bool, isCatch: Bool) {
      (self.score, self.isRight, self.isCatch) = (score, isRight, isCatch)
    }
  }

  package enum Finding: Sendable, Hashable {
    /// The score at which the difference is seen half of the time, with its central 95 %.
    case threshold(Double, from: Double, to: Double)
    /// The answers are no better than guesses.
    case guessed
    /// The threshold is, or may be, beyond the coarsest or the finest file.
    case belowLadder, aboveLadder
  }

  /// Odds of 100 to 1 against a guesser: by Ville's inequality a guesser reaches them in at most one of a hundred
  /// tests, however often the odds are checked, and also fails catch trials.
  static let leastEvidence = log(100.0)
  /// The share of wrong answers to catch trials above which a result is unreliable; a single wrong answer is forgiven.
  private static let mostMissed = 0.2

  package var finding: Finding
  package var trials: Int
  package var catches: Int
  package var missed: Int

  package init(_ answers: [Answer]) {
    var posterior = ThresholdPosterior()
    for answer in answers {
      posterior.enter(isRight: answer.isRight, at: ThresholdPosterior.Chances(at: answer.score))
    }
    trials = answers.count
    catches = answers.count(where: \.isCatch)
    missed = answers.count { $0.isCatch && !$0.isRight }
    finding = Self.finding(posterior, shown: answers.map(\.score))
  }

  private static func finding(_ posterior: ThresholdPosterior, shown scores: [Double]) -> Finding {
    guard posterior.evidence >= leastEvidence, let lowest = scores.min(), let highest = scores.max() else {
      return .guessed
    }
    let (mean, from) = (posterior.mean, posterior.quantile(0.025))
    guard from >= lowest else { return .belowLadder }
    guard mean <= highest + 1 else { return .aboveLadder }
    return .threshold(mean, from: from, to: posterior.quantile(0.975))
  }

  /// False if catch trials were answered wrongly more often than slips explain.
  package var isReliable: Bool { Self.isReliable(missed: missed, of: catches) }

  package static func isReliable(missed: Int, of catches: Int) -> Bool {
    missed < 2 || Double(missed) <= mostMissed * Double(catches)
  }

  package var threshold: Double? { if case .threshold(let score, _, _) = finding { score } else { nil } }
}

extension BlindThreshold {
  /// A codec's bytes at its threshold, and at both ends of the threshold's central 95 %.
  package struct Bytes: Sendable, Hashable {
    package var from, threshold, to: Double

    package init(from: Double, threshold: Double, to: Double) {
      (self.from, self.threshold, self.to) = (from, threshold, to)
    }
  }

  /// How many percent fewer bytes one codec needs than another at the point where one person just sees a difference,
  /// with a 95 % interval.
  ///
  /// The thresholds are found independently, so the interval of the difference of logarithms follows from their
  /// intervals (Zou and Donner, Statistics in Medicine 27:1693, 2008).
  package static func saving(_ one: Bytes, _ other: Bytes) -> (mean: Double, from: Double, to: Double) {
    func distance(_ bytes: Double, _ end: Double) -> Double { log(bytes / end) }
    let ratio = log(one.threshold / other.threshold)
    let below = hypot(distance(one.threshold, one.from), distance(other.to, other.threshold))
    let above = hypot(distance(one.to, one.threshold), distance(other.threshold, other.from))
    func percent(_ ratio: Double) -> Double { 100 * (1 - exp(ratio)) }
    return (percent(ratio), percent(ratio + above), percent(ratio - below))
  }
}
