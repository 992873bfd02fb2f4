import Model

/// A full-reference image quality metric: a small value that turns intermediate results into a score. Results shared
/// with other metrics, such as the blurred luma of SSIM and MS-SSIM, are a `SharedStage`, computed once per candidate.
protocol QualityMetric: Sendable {
  var traits: MetricTraits { get }
  var rules: MetricRules { get }

  /// Builds the stages that `score` will need, before a candidate is known.
  func prepare(_ comparison: Comparison) throws(MetricError)

  /// The score of the comparison's candidate. Both images are at least `traits.minimumSide` pixels in both directions,
  /// equal in size and opaque.
  func score(_ comparison: Comparison) throws(MetricError) -> Double
}
