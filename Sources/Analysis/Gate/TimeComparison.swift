/// Times of one call in two runs, summed over the points measured alike on both sides.
package struct TimeComparison: Sendable, Hashable {
  /// Sum of the fastest repeats, medians and upper ends of the intervals, milliseconds.
  struct Sum: Sendable, Hashable {
    var lower = 0.0, median = 0.0, upper = 0.0

    fileprivate mutating func add(_ interval: GatePoint.TimeInterval) {
      lower += interval.lower
      median += interval.median
      upper += interval.upper
    }
  }

  /// Fewest repeats for an interval that reflects the noise.
  static let minimumRepeats = 3

  var before = Sum()
  var after = Sum()
  private var fewestRepeats = Int.max
  /// True while all points of the baseline with times have such of the same machine and number of jobs.
  private(set) var isWhole = true

  mutating func add(_ old: GatePoint.TimeInterval?, _ new: GatePoint.TimeInterval?) {
    guard let old else { return }
    isWhole = isWhole && new != nil && old.origin != nil && old.origin == new?.origin
    guard let new, old.source == new.source, old.origin == new.origin else { return }
    before.add(old)
    after.add(new)
    fewestRepeats = min(fewestRepeats, old.repeats, new.repeats)
  }

  /// True if both sides have times.
  var isKnown: Bool { before.median > 0 && after.median > 0 }

  /// True if the summed intervals do not overlap, which is stricter than for independent points, since a machine's
  /// noise is not independent.
  var isSignificant: Bool {
    (after.lower > before.upper || after.upper < before.lower) && fewestRepeats >= Self.minimumRepeats
  }

  package var percent: Double { (after.median / before.median - 1) * 100 }
}
