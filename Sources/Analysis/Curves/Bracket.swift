/// The two measured points around an interpolated size, and their distance from it.
///
/// Between two points whose log bytes lie a and b away from the value, an interpolation is off by at most half the
/// curve's bend times a·b, the bound of linear interpolation taken along the bytes. So a·b measures the effect of a
/// bend: a wide bracket is fine beside one of its ends, a narrow one anywhere.
package struct Bracket: Sendable, Hashable {
  /// Limits of closeness: the largest a·b, in squared natural logarithms of bytes.
  ///
  /// Tuned on 18 photographs of 512 pixels and checked on others; `docs/metrics.md` has the figures.
  package enum Closeness: Double, Sendable {
    /// Required for a printed figure: any place between points up to 1.33-fold apart in bytes; within 3 % of the nearer
    /// one if they are twofold apart, within 1.5 % if fourfold.
    case trusted = 0.02
    /// Refinement of a fast codec, whose points cost next to nothing: a ragged curve needs them closer.
    case fine = 0.005

    /// Largest factor from one point's bytes to the next within the range of an average. An average forgives more than
    /// a single value: errors weigh by their share of the range.
    package var widestStep: Double { self == .fine ? 1.5 : 2.5 }
  }

  /// The neighbour with fewer bytes.
  package let lower: RateQualityCurve.Point
  package let upper: RateQualityCurve.Point
  /// Product a·b of the distances from the value to the two, in natural logarithms of bytes.
  package let spread: Double

  package func isClose(_ closeness: Closeness) -> Bool { spread <= closeness.rawValue }
}
