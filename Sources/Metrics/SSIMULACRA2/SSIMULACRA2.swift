package import Model

/// SSIMULACRA 2.1 (Jon Sneyers, Cloudinary, April 2023), as libjxl's tool `ssimulacra2` computes it: 100 is
/// no difference, 90 visually lossless, 70 high, 50 medium, 30 low quality; there is no lower bound.
///
/// Defined for 8 pixels and more in both directions. The order of the two images matters.
struct SSIMULACRA2: QualityMetric {
  let traits = MetricTraits.ssimulacra2
  // All its six scales are used from 113 pixels on: it stops halving below 8.
  let rules = MetricRules(
    dependableSide: 113, tolerance: Tolerance(0.5, otherVersions: 3), codecCompareName: "ssimulacra2")

  func prepare(_ comparison: Comparison) throws(MetricError) {
    if comparison.tuning.keepsReference { _ = try comparison.stage(XYBStage.self) }
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    let norms =
      comparison.tuning.keepsReference
      ? try comparison.result(of: XYBStage.self) : try comparison.result(of: XYBPair.self)
    return SSIMULACRA2Weights.score(weightedSum: norms.weightedSum)
  }
}

extension MetricTraits {
  package static let ssimulacra2 = MetricTraits(
    id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2, minimumSide: 8,
    scale: Scale(targets: [50, 70, 80, 90], headline: 70, band: 50...90, highest: 100))
}
