package import Model

/// PSNR of luma: BT.601 with full range, computed from the encoded R, G and B and not rounded, peak 255.
struct PSNRLuma: QualityMetric {
  let traits = MetricTraits.psnrLuma
  let rules = MetricRules(
    cap: 100, highestMeasured: highestPeakSignalToNoise, tolerance: Tolerance(0.2, otherVersions: 1),
    codecCompareName: "psnr")

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    peakSignalToNoise(meanSquaredError: try comparison.result(of: SquaredErrors.self).luma)
  }
}

extension MetricTraits {
  package static let psnrLuma = MetricTraits(
    id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 35, 40, 45], headline: 35, band: 30...45, lowest: 0, highest: 100))
}
