import Model

/// PSNR of luma: BT.601 with full range, computed from the encoded R, G and B and not rounded, peak 255.
struct PSNRLuma: QualityMetric {
  let traits = MetricTraits.psnrLuma

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    peakSignalToNoise(meanSquaredError: try comparison.result(of: SquaredErrors.self).luma)
  }
}
