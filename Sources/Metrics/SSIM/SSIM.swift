package import Model

/// Structural similarity (Wang, Bovik, Sheikh, Simoncelli, IEEE Transactions on Image Processing, 2004) of
/// BT.601 luma, as scikit-image computes it with `gaussian_weights` and without sample covariance.
struct SSIM: QualityMetric {
  let traits = MetricTraits.ssim
  let rules = MetricRules(tolerance: Tolerance(0.002, otherVersions: 0.01), codecCompareName: "ssim")

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(StructureStage.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    try comparison.result(of: StructureStage.self).means(at: 0).ssim
  }
}

extension MetricTraits {
  package static let ssim = MetricTraits(
    id: "ssim", column: "ssim", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 5, minimumSide: 11,
    scale: Scale(targets: [0.9, 0.95, 0.98, 0.99], headline: 0.95, band: 0.9...0.99, lowest: -1, highest: 1))
}
