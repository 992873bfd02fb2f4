/// The worsening of a quantity that a gate accepts by default: in percent for bytes, memory and times, else in the
/// quantity's unit.
package struct Tolerance: Sendable, Hashable {
  /// Between runs with the same library versions, whose sizes and scores are deterministic.
  package var sameVersions: Double
  package var otherVersions: Double

  package init(_ sameVersions: Double, otherVersions: Double? = nil) {
    self.sameVersions = sameVersions
    self.otherVersions = otherVersions ?? sameVersions
  }
}
