/// Reason why a rate–quality curve, or a figure from two of them, is missing or to be read with care. There are no
/// sentinel numbers: a missing figure is nil, with a problem.
package enum CurveProblem: String, Sendable, Hashable, Codable, CaseIterable, Error {
  /// One of the two variants has no measured point of the image with this metric.
  case missing
  /// Fewer than `RateQualityCurve.minimumPoints` points of distinct bytes remain.
  case tooFewPoints
  /// More than a third of the distinct points are beaten by another one in both bytes and score.
  case notMonotone
  /// The two curves share no range of scores.
  case noOverlap
  /// The figure exists, but covers under three quarters of the intended range.
  case lowOverlap
  /// The two curves do not reach the whole range named by the figure.
  case partOfRange
  /// The target score lies outside the measurements; nothing is extrapolated.
  case outOfRange
  /// The points around the target, or a part of the range, are too far apart for a figure; see `Bracket`.
  case sparse
  /// No figure yet: the run did not finish, and the missing points may still be measured.
  case unfinished

  /// A word or three for a table: `2 out of range`.
  package var label: String {
    switch self {
    case .missing: "unscored"
    case .tooFewPoints: "with too few points"
    case .notMonotone: "not monotone"
    case .noOverlap: "without overlap"
    case .lowOverlap: "with low overlap"
    case .partOfRange: "that reach only part of it"
    case .outOfRange: "out of range"
    case .sparse: "without a point near enough"
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
    case .partOfRange: "scores over a part of the range only"
    case .outOfRange: "that score outside of what was measured"
    case .unfinished: "too few points so far"
    case .sparse: "no measured point near enough (leave --refine on, or measure more qualities)"
    }
  }
}

/// Number of images with a problem.
package struct ProblemCount: Sendable, Hashable, Codable {
  package var problem: CurveProblem
  package var images: Int
}
