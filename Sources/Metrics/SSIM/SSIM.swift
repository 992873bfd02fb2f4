import Model

/// Structural similarity (Wang, Bovik, Sheikh, Simoncelli, IEEE Transactions on Image Processing, 2004) of
/// BT.601 luma, as scikit-image computes it with `gaussian_weights` and without sample covariance.
struct SSIM: QualityMetric {
  let traits = MetricTraits.ssim

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(StructureStage.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    try comparison.result(of: StructureStage.self).means(at: 0).ssim
  }
}
