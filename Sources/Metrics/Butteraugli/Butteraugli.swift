package import Model

/// Butteraugli (Jyrki Alakuijala, Google), as printed by `butteraugli_main` of libjxl 0.8 to 0.12 for SDR, with white
/// at 80 cd/m²: 0 is no difference; around 1 an attentive observer begins to see one. The tool in libjxl 0.7 has other
/// weights, and its results differ by a few percent.
///
/// Defined from 8 pixels up in both directions: below that, the tool returns 0 for any input.
struct Butteraugli: QualityMetric {
  let traits: MetricTraits
  private let figure: @Sendable (ButteraugliStage.Result) -> Double

  /// The distance at the worst pixel.
  static let largest = Butteraugli(traits: .butteraugli) { $0.largest }
  /// The mean of the 3-, 6- and 12-norm of the distances over all pixels, which libjxl calls the 3-norm.
  static let norm = Butteraugli(traits: .butteraugliNorm) { $0.norm }

  private init(traits: MetricTraits, _ figure: @escaping @Sendable (ButteraugliStage.Result) -> Double) {
    (self.traits, self.figure) = (traits, figure)
  }

  var rules: MetricRules {
    MetricRules(tolerance: Tolerance(0.1, otherVersions: 0.5), takesLight: true, isOnRequest: true)
  }

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(ButteraugliStage.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    figure(try comparison.result(of: ButteraugliStage.self))
  }
}

extension MetricTraits {
  package static let butteraugli = MetricTraits(
    id: "butteraugli", column: "butteraugli", title: "Butteraugli", higherIsBetter: false,
    curveScale: .decibels,
    decimals: 3, minimumSide: 8,
    scale: Scale(targets: [1.5, 2.5, 3.5, 5], headline: 3.5, band: 1.5...5, lowest: 0))
  package static let butteraugliNorm = MetricTraits(
    id: "butteraugli-3norm", column: "butteraugli_3norm", title: "Butteraugli, 3-norm", higherIsBetter: false,
    curveScale: .decibels, decimals: 4, minimumSide: 8,
    scale: Scale(targets: [0.5, 0.9, 1.3, 2], headline: 1.3, band: 0.5...2, lowest: 0))
}
