import Foundation

/// The posterior of an observer's threshold on the axis of a score, from right and wrong answers between two alternatives.
///
/// QUEST+ (Watson, Journal of Vision 17(3):10, 2017) over a grid of thresholds and spreads, both uniform at first. The
/// chance of a right answer at score s is ½ + (½ − λ) Φ((threshold − s) / spread): a cumulative Gaussian, symmetric on
/// the score's axis, so the threshold is the score at which a difference is seen half of the time. The most informative
/// trial is the one with the least expected entropy of the threshold alone (Prins, Journal of Vision 13(7):3, 2013).
package struct ThresholdPosterior: Sendable, Hashable {
  package static let thresholds = (20...99).map(Double.init)
  /// Standard deviations of the Gaussian, in points of the score.
  static let spreads = [2.0, 4, 8]
  /// The share of wrong answers that have nothing to do with the picture: a slip of the hand, a blink.
  package static let lapse = 0.03

  /// The chance of a right answer at one score, for each threshold and spread.
  package struct Chances: Sendable, Hashable {
    fileprivate let values: [Double]

    package init(at score: Double) {
      values = thresholds.flatMap { threshold in
        spreads.map { 0.5 + (0.5 - lapse) * Self.normal((threshold - score) / $0) }
      }
    }

    private static func normal(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }
  }

  private var grid = GridPosterior(thresholds, cells: spreads.count)
  /// The natural logarithm of how much better an observer with a threshold explains the answers than a guesser does.
  package private(set) var evidence = 0.0

  package init() {}

  package mutating func enter(isRight: Bool, at chances: Chances) {
    let expected = grid.enter { isRight ? chances.values[$0] : 1 - chances.values[$0] }
    evidence += log(expected / 0.5)
  }

  package var mean: Double { grid.mean }
  package var deviation: Double { grid.deviation }

  package func quantile(_ share: Double) -> Double { grid.quantile(share) }

  /// The index of the score whose answer is expected to be most informative about the threshold; nil for none.
  package func mostTelling(of rungs: [Chances]) -> Int? {
    let marginal = grid.marginal
    // The rest of the grid hardly changes the expectations.
    let rows = marginal.indices.filter { marginal[$0] > 1e-6 }
    let told = rungs.map { information(of: $0.values, rows, marginal) }
    return told.indices.max { told[$0] < told[$1] }
  }

  /// The mutual information between an answer and the threshold.
  private func information(of chances: [Double], _ rows: [Int], _ marginal: [Double]) -> Double {
    let (count, weights) = (grid.cells, grid.weights)
    var (right, known) = (0.0, 0.0)
    for row in rows {
      var sum = 0.0
      for cell in row * count..<(row + 1) * count { sum += weights[cell] * chances[cell] }
      right += sum
      known += marginal[row] * Self.entropy(sum / marginal[row])
    }
    return Self.entropy(right) - known
  }

  private static func entropy(_ chance: Double) -> Double {
    guard chance > 0, chance < 1 else { return 0 }
    return -chance * log(chance) - (1 - chance) * log(1 - chance)
  }
}
