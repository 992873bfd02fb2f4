import Model

/// PSNR of luma: BT.601 with full range, computed from the encoded R, G and B and not rounded, peak 255.
struct PSNRLuma: QualityMetric {
  let traits = MetricTraits(
    id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 3,
    scale: .init(targets: [30, 35, 40, 45], headline: 35, band: 30...45, lowest: 0, highest: 100))

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    peakSignalToNoise(meanSquaredError: try comparison.result(of: SquaredErrors.self).luma)
  }
}
