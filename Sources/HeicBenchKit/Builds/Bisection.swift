import Analysis
import Foundation

/// Search among builds, oldest first, for the neighbours between which a quantity moved.
///
/// The ends are compared first. If they differ, the stretch is halved, and so is each half that differs again. A change
/// that one build brings and a later one reverts goes unseen.
struct Bisection: Sendable, Encodable {
  /// A comparison of two builds, by position.
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
  /// Least change that counts as moved: percent, or the unit of a score.
  let threshold: Double
  private(set) var steps: [Step] = []
  /// Positions in `steps` of neighbours between which the quantity moved.
  private(set) var moves: [Int] = []
  /// Positions in `steps` of stretches with a move that stays below the threshold in either half.
  private(set) var gradual: [Int] = []

  /// Searches `count` builds. `compare` measures two of them until no more certainty is needed or possible.
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
