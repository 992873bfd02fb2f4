import Model

/// A full-reference image quality metric.
///
/// A metric is a small value that turns intermediate results into a score. What it shares with others, such
/// as the blurred luma of SSIM and MS-SSIM, is a `SharedStage` and computed once per candidate.
protocol QualityMetric: Sendable {
  /// What readers of its scores have to know.
  var traits: MetricTraits { get }

  /// Does what can be done before a candidate is known: builds the stages that `score` will ask for.
  func prepare(_ comparison: Comparison) throws(MetricError)

  /// The score of the candidate that the comparison holds. Both images are at least `traits.minimumSide`
  /// pixels in both directions, equal in size and opaque.
  func score(_ comparison: Comparison) throws(MetricError) -> Double
}
