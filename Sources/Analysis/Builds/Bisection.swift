/// A search among builds, oldest first, for the neighbours between which a quantity moved.
///
/// The ends are compared first. Where they differ, what is between is halved, and each half that differs again; a
/// change that one build brings and a later one takes back is not seen.
package struct Bisection: Sendable, Hashable, Codable {
  /// A comparison of two builds, by their places.
  package struct Step: Sendable, Hashable, Codable {
    /// The older build.
    package let before: Int
    /// The newer build.
    package let after: Int
    /// How far the quantity moved.
    package let contrast: BuildContrast
    /// What that is beside the threshold.
    package let verdict: BuildContrast.Verdict
  }

  /// What was followed.
  package let quantity: BuildQuantity
  /// From how large a change on it counts as moved: percent, or points of a score.
  package let threshold: Double
  /// All comparisons, in order.
  package private(set) var steps: [Step] = []
  /// Neighbours between which it moved, as places in `steps`.
  package private(set) var moves: [Int] = []
  /// Stretches over which it moved, but by less than the threshold in either half.
  package private(set) var gradual: [Int] = []

  /// Searches `count` builds. `compare` measures two of them until the change is known well enough, or as well as it
  /// ever will be.
  package init(
    _ quantity: BuildQuantity, count: Int, threshold: Double,
    compare: (_ before: Int, _ after: Int) throws -> BuildContrast
  ) rethrows {
    (self.quantity, self.threshold) = (quantity, threshold)
    if count > 1 { _ = try search(0, count - 1, compare) }
  }

  /// Searches between two builds. Returns whether they differ.
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
