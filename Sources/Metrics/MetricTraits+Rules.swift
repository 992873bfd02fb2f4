package import Model

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
