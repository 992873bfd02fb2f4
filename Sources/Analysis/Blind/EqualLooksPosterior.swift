import Foundation

/// The posterior of the ratio of bytes at which two codecs look equally near to the original, from comparisons of files of
/// varied sizes.
///
/// Bradley and Terry's model with ties (Davidson, Journal of the American Statistical Association 65, 1970): a file's
/// worth is π = e^(bias of its codec) · bytes^slope, and an observer names the first of two with a chance of π₁ / (π₁ +
/// π₂ + ν √(π₁π₂)) and neither with ν √(π₁π₂) over the same sum. Two files look equal where ln(bytes₁ / bytes₂) is the
/// balance. The prior is uniform over a grid of balances, slopes and ν.
package struct EqualLooksPosterior: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable, CaseIterable {
    case first, same, second
  }

  /// Balances, as natural logarithms of ratios: from a fifth of the bytes to five times as many.
  package static let balances = (-32...32).map { Double($0) / 20 }
  static let slopes = [1.5, 3.0, 6, 12]
  static let ties = [0.3, 1.0, 3]
  private static let cells = slopes.flatMap { slope in ties.map { (slope: slope, tie: $0) } }

  private var grid = GridPosterior(balances, cells: cells.count)

  package init() {}

  /// The chance of an outcome at ln(bytes₁ / bytes₂), for each cell of the grid.
  private static func chances(of outcome: Outcome, at ratio: Double) -> [Double] {
    balances.flatMap { balance in
      cells.map { slope, tie in
        let half = slope * (ratio - balance) / 2
        let (first, second) = (exp(half), exp(-half))
        let share =
          switch outcome {
          case .first: first
          case .same: tie
          case .second: second
          }
        return share / (first + second + tie)
      }
    }
  }

  package mutating func enter(_ outcome: Outcome, at ratio: Double) {
    let chances = Self.chances(of: outcome, at: ratio)
    grid.enter { chances[$0] }
  }

  package var mean: Double { grid.mean }
  package var deviation: Double { grid.deviation }

  package func quantile(_ share: Double) -> Double { grid.quantile(share) }
}

/// The bytes that one codec saves over another when a person sees both equally near to the original.
package struct EqualLooks: Sendable, Hashable {
  /// Standard deviation of ln(ratio) above which there is no figure, because the answers say next to nothing.
  private static let widest = 0.3

  /// Percent of the second codec's bytes, with the central 95 %; nil if the answers do not determine it.
  package var saving: (mean: Double, from: Double, to: Double)? {
    guard posterior.deviation <= Self.widest else { return nil }
    func percent(_ balance: Double) -> Double { 100 * (1 - exp(balance)) }
    return (percent(posterior.mean), percent(posterior.quantile(0.975)), percent(posterior.quantile(0.025)))
  }

  private let posterior: EqualLooksPosterior

  /// - Parameter answers: Outcomes by ln(bytes₁ / bytes₂), without catch trials.
  package init(_ answers: [(ratio: Double, outcome: EqualLooksPosterior.Outcome)]) {
    posterior = answers.reduce(into: EqualLooksPosterior()) { $0.enter($1.outcome, at: $1.ratio) }
  }
}
