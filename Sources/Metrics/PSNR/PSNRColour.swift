package import Model

/// PSNR of encoded R, G and B together: the error is averaged over the three channels first. For a lossy codec it
/// measures the whole system, chroma upsampling included.
struct PSNRColour: QualityMetric {
  let traits = MetricTraits.psnrColour
  let rules = MetricRules(
    cap: 100, highestMeasured: highestPeakSignalToNoise, tolerance: Tolerance(0.2, otherVersions: 1))

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    peakSignalToNoise(meanSquaredError: try comparison.result(of: SquaredErrors.self).colour)
  }
}

extension MetricTraits {
  package static let psnrColour = MetricTraits(
    id: "psnr-rgb", column: "psnr_rgb_db", title: "PSNR-RGB", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 33, 36, 40], headline: 33, band: 30...40, lowest: 0, highest: 100))
}
