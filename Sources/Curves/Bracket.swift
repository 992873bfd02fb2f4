/// The two measured points that an interpolated size stands between, and whether they are close enough to it.
///
/// Between two points whose logarithms of bytes lie a and b away from the value, an interpolation is off by at
/// most half the curve's bend times a·b, the bound of linear interpolation taken along the bytes. So a·b says
/// how much a bend can do: a wide bracket is fine beside one of its ends, and anywhere in it once it is narrow.
package struct Bracket: Sendable, Hashable {
  /// How close is close enough: the largest a·b, in squared natural logarithms of bytes.
  ///
  /// Tuned on 18 photographs of 512 pixels and checked on others; `docs/metrics.md` has the figures.
  package enum Closeness: Double, Sendable {
    /// What a printed figure needs: any place between points up to 1.33-fold apart in bytes; within 3 % of the
    /// nearer one where they are twofold apart, within 1.5 % where fourfold.
    case trusted = 0.02
    /// What a fast codec is refined to, whose points cost next to nothing: a ragged curve needs them closer.
    case fine = 0.005

    /// The most that a point's bytes may be over those of the one before it where an average runs over the two,
    /// as a factor. An average forgives more than a single value: errors weigh by their share of the range.
    package var widestStep: Double { self == .fine ? 1.5 : 2.5 }
  }

  /// The neighbour with fewer bytes.
  package let lower: RateQualityCurve.Point
  /// The neighbour with more bytes.
  package let upper: RateQualityCurve.Point
  /// The product a·b of the distances from the value to the two, in natural logarithms of bytes.
  package let spread: Double

  /// States two neighbours.
  package init(lower: RateQualityCurve.Point, upper: RateQualityCurve.Point, spread: Double) {
    self.lower = lower
    self.upper = upper
    self.spread = spread
  }

  /// Whether the neighbours are as close to the value as that.
  package func isClose(_ closeness: Closeness) -> Bool { spread <= closeness.rawValue }
}
