package import Model

/// Properties of a standard metric that results do not record, stated in the metric's own file.
package struct MetricRules: Sendable {
  /// The score recorded for equal images and for anything above it; nil if the metric has none. Means and curves
  /// exclude it, as it is not a measurement.
  package var cap: Double?
  /// The highest possible score of images that differ; nil for that of the scale.
  var highestMeasured: Double?
  /// The shorter side in pixels from which scores are dependable; nil if every defined score is.
  package var dependableSide: Int?
  /// The fall of a point's score that a gate tolerates.
  package var tolerance: Tolerance
  /// The name under which codec-compare knows the metric; nil if it does not.
  package var codecCompareName: String?
}

extension MetricTraits {
  /// The metrics that have a column in every measurements.csv, in column order.
  package static let standard = MetricSuite.registry.map(\.traits)

  /// The metric by which qualities are compared unless another is asked for.
  package static let headline = ssimulacra2

  private static let rules = Dictionary(
    MetricSuite.registry.map { ($0.traits.id, $0.rules) }, uniquingKeysWith: { first, _ in first })

  /// Returns the rules of a standard metric; nil for a user's own.
  package static func rules(of id: String) -> MetricRules? { rules[id] }

  package var rules: MetricRules? { Self.rules[id] }

  package var dependableSide: Int? { rules?.dependableSide }

  package var cap: Double? { rules?.cap }

  /// True if the score is possible. Equal images have an infinite one where the metric has a cap.
  package func allows(_ score: Double) -> Bool {
    guard let scale else { return true }
    guard score != .infinity else { return cap != nil }
    let highest = rules?.highestMeasured ?? scale.highest
    return score.isFinite && score >= scale.lowest ?? score && score <= highest ?? score
  }
}
