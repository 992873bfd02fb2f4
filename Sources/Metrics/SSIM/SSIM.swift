import Foundation
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

/// Multi-scale structural similarity (Wang, Simoncelli, Bovik, Asilomar Conference, 2003) of BT.601 luma: five scales,
/// each the 2 × 2 means of the previous one, with the paper's exponents; luminance counts only at the coarsest scale.
///
/// The window of 11 pixels must fit at the coarsest scale, hence 176 pixels.
struct MultiScaleSSIM: QualityMetric {
  private static let exponents = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]

  var traits = MetricTraits.multiScaleSSIM
  var codecCompareName: String? = "msssim"
  var rules: MetricRules {
    MetricRules(tolerance: Tolerance(0.002, otherVersions: 0.01), codecCompareName: codecCompareName)
  }

  /// MS-SSIM of PU21-encoded luminance: of the HDR metrics without a model of the eye, the one that agrees best with
  /// people (UPIQ).
  static let pu21 = MultiScaleSSIM(traits: .pu21MultiScaleSSIM, codecCompareName: nil)

  func prepare(_ comparison: Comparison) throws(MetricError) {
    try comparison.stage(StructureStage.self).prepareScales()
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    let stage = try comparison.result(of: StructureStage.self)
    var product = 1.0
    for (scale, exponent) in Self.exponents.enumerated() {
      let means = stage.means(at: scale)
      let mean = scale == Self.exponents.count - 1 ? means.ssim : means.structure
      // A negative mean, which only an inverted image gives, has no real fractional power.
      product *= pow(max(mean, 0), exponent)
    }
    return product
  }
}

extension MetricTraits {
  package static let multiScaleSSIM = MetricTraits(
    id: "ms-ssim", column: "ms_ssim", title: "MS-SSIM", curveScale: .decibelsBelowOne, decimals: 5,
    minimumSide: 176,
    scale: Scale(
      targets: [0.95, 0.98, 0.99, 0.995], headline: 0.98, band: 0.95...0.995, lowest: 0, highest: 1))
}

extension MetricTraits {
  package static let pu21MultiScaleSSIM = MetricTraits(
    id: "pu21-ms-ssim", column: "pu21_ms_ssim", title: "PU21-MS-SSIM", curveScale: .decibelsBelowOne,
    decimals: 5,
    minimumSide: 176,
    scale: Scale(
      targets: [0.95, 0.98, 0.99, 0.995], headline: 0.98, band: 0.95...0.995, lowest: 0, highest: 1))
}
