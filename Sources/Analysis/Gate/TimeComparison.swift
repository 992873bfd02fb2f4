/// Times of one call in two runs, summed over the points measured alike on both sides.
struct TimeComparison: Sendable {
  /// Fewest repeats for an interval that reflects the noise.
  static let minimumRepeats = 3

  private var before = (lower: 0.0, median: 0.0, upper: 0.0)
  private var after = (lower: 0.0, median: 0.0, upper: 0.0)
  private var fewestRepeats = Int.max

  mutating func add(_ old: GatePoint.TimeInterval?, _ new: GatePoint.TimeInterval?) {
    guard let old, let new, old.source == new.source, old.origin == new.origin else { return }
    before = (before.lower + old.lower, before.median + old.median, before.upper + old.upper)
    after = (after.lower + new.lower, after.median + new.median, after.upper + new.upper)
    fewestRepeats = min(fewestRepeats, old.repeats, new.repeats)
  }

  /// Change of the total; nil without times. It is significant if the summed intervals do not overlap, which is
  /// stricter than for independent points, since a machine's noise is not independent.
  package var change: VariantComparison.TimeChange? {
    guard before.median > 0, after.median > 0 else { return nil }
    let apart = after.lower > before.upper || after.upper < before.lower
    return VariantComparison.TimeChange(
      before: before.median, after: after.median,
      isSignificant: apart && fewestRepeats >= Self.minimumRepeats)
  }
}
