import Model

/// PSNR of encoded R, G and B together: the error is averaged over the three channels first. For a lossy codec it
/// measures the whole system, chroma upsampling included.
struct PSNRColour: QualityMetric {
  let traits = MetricTraits.psnrColour

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    peakSignalToNoise(meanSquaredError: try comparison.result(of: SquaredErrors.self).colour)
  }
}
