/// Why a rate–quality curve or a figure taken from two of them does not exist, or is to be read with care.
/// There are no sentinel numbers: a figure that does not exist is nil, and this says why.
package enum CurveProblem: String, Sendable, Hashable, Codable, CaseIterable, Error {
  /// One of the two variants has no measured point of the image with this metric.
  case missing
  /// Fewer than `RateQualityCurve.minimumPoints` points of distinct bytes are left.
  case tooFewPoints
  /// More than a third of the distinct points is beaten by another one in bytes and score alike.
  case notMonotone
  /// The two curves share no range of scores.
  case noOverlap
  /// The figure exists, but stands on under three quarters of the range it is meant for.
  case lowOverlap
  /// The two curves do not reach all of the range that the figure is named after.
  case partOfRange
  /// The target score lies outside of what was measured; nothing is extrapolated.
  case outOfRange
  /// The points around the target, or around a part of the range, are too far apart for a figure that stands
  /// between them. See `Bracket`.
  case sparse
  /// There is no figure, and the run did not come to its end: what is missing may yet be measured.
  case unfinished

  /// The problem in a word or three, for a table: `2 out of range`.
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

  /// The problem as a phrase that follows “images with”.
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

/// How many images have a problem.
package struct ProblemCount: Sendable, Hashable, Codable {
  /// The problem.
  package var problem: CurveProblem
  /// How many images have it.
  package var images: Int

  /// Counts a problem.
  package init(problem: CurveProblem, images: Int) {
    self.problem = problem
    self.images = images
  }
}
