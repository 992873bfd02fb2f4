import Model

/// PSNR of R, G and B together, in the encoded values: the error is averaged over the three channels first.
///
/// Of a lossy codec it measures the whole system, chroma upsampling included.
struct PSNRColour: QualityMetric {
  let traits = MetricTraits(
    id: "psnr-rgb", column: "psnr_rgb_db", title: "PSNR-RGB", unit: "dB", decimals: 3,
    scale: .init(targets: [30, 33, 36, 40], headline: 33, band: 30...40, lowest: 0, highest: 100))

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    peakSignalToNoise(meanSquaredError: try comparison.result(of: SquaredErrors.self).colour)
  }
}
