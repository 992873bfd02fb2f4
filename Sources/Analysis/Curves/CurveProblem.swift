/// The reason why a rate–quality curve, or a figure from two curves, is missing or needs care. There are no sentinel
/// numbers: a missing figure is nil, with a problem.
package enum CurveProblem: String, Sendable, Hashable, Codable, CaseIterable, Error {
  /// One of the two variants has no measured point of the image with this metric.
  case missing
  /// Fewer than `RateQualityCurve.minimumPoints` points of distinct bytes remain.
  case tooFewPoints
  /// More than a third of the distinct points are beaten by another one in both bytes and score.
  case notMonotone
  case noOverlap
  case lowOverlap
  case partOfRange
  /// The target score lies outside the measurements; nothing is extrapolated.
  case outOfRange
  /// The points around the target, or in a part of the range, are too far apart for a figure; see `Bracket`.
  case sparse
  case unfinished

  /// A few words for a table: `2 out of range`.
  package var label: String {
    switch self {
    case .missing: "unscored"
    case .tooFewPoints: "with too few points"
    case .notMonotone: "not monotone"
    case .noOverlap: "without overlap"
    case .lowOverlap: "with low overlap"
    case .partOfRange: "partly covered"
    case .outOfRange: "out of range"
    case .sparse: "without a nearby point"
    case .unfinished: "without a figure so far"
    }
  }

  /// A phrase that follows “images with”.
  package var explanation: String {
    switch self {
    case .missing: "no scores (too small for the metric, or not measured)"
    case .tooFewPoints: "fewer than \(RateQualityCurve.minimumPoints) distinct points"
    case .notMonotone: "bytes and scores that do not rise together"
    case .noOverlap: "no scores in common"
    case .lowOverlap: "under 75 % of the range covered"
    case .partOfRange: "scores over only part of the range"
    case .outOfRange: "that score outside the measured range"
    case .unfinished: "too few points so far"
    case .sparse: "no encode close enough (leave --refine on, or measure more qualities)"
    }
  }
}

package struct ProblemCount: Sendable, Hashable, Codable {
  package var problem: CurveProblem
  package var images: Int
}

/// The two measured points around an interpolated size, and their distance from it.
///
/// Between two points whose log bytes lie a and b away from the value, an interpolation is off by at most half the
/// curve's second derivative times a·b, the bound of linear interpolation along the bytes. So a·b measures the effect
/// of curvature: a wide bracket is fine near one of its ends, a narrow one anywhere.
package struct Bracket: Sendable, Hashable {
  /// Limits of closeness: the largest a·b, in squared natural logarithms of bytes.
  ///
  /// Tuned on 18 photographs of 512 pixels and checked on others; `docs/lab/metrics.md` has the figures.
  package enum Closeness: Double, Sendable {
    /// Required for a printed figure. Between points at most a factor of 1.33 apart in bytes, any place is close
    /// enough. If they are a factor of two apart, it must be within 3 % of the nearer point; if four, within 1.5 %.
    case trusted = 0.02
    /// For refining a fast codec, whose points cost next to nothing: a ragged curve needs closer points.
    case fine = 0.005

    /// Largest factor from one point's bytes to the next within the range of an average. An average tolerates more than
    /// a single value does: errors count by their share of the range.
    var widestStep: Double { self == .fine ? 1.5 : 2.5 }
  }

  package let lower: RateQualityCurve.Point
  package let upper: RateQualityCurve.Point
  /// Product a·b of the distances from the value to both points, in natural logarithms of bytes.
  package let spread: Double

  package func isClose(_ closeness: Closeness) -> Bool { spread <= closeness.rawValue }
}
