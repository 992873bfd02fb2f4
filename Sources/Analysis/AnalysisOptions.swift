import Metrics
package import Model

/// Options of an analysis; the defaults are those of the report.
package struct AnalysisOptions: Sendable, Hashable, Codable {
  /// Identifier of the deciding metric; targets and band are its scores.
  package var headlineMetric: String
  /// Scores at which variants are compared, ascending.
  package var targets: [Double]
  /// Scores in practical use, the range of the verdict's BD-rate.
  package var band: ClosedRange<Double>
  /// Target of the verdict; the nearest one with a figure is used instead if it has none.
  package var verdictTarget: Double
  /// Goal of a search; nil for a sweep. A search's points lie close to its target and say nothing elsewhere, so it has
  /// no BD-rates and no figures at equal quality numbers.
  package var target: QualityTarget?
  package var takesBDRates: Bool
  package var resamples: Int
  package var seed: UInt64
  /// Most images with points and figures in `Analysis.imageDetails`.
  package var detailedImages: Int
  package var namedViolations: Int

  /// The default is SSIMULACRA2 at 50, 70, 80 and 90, with the band from 50 to 90.
  package init(
    headlineMetric: String = MetricTraits.headline.id, targets: [Double] = [50, 70, 80, 90],
    band: ClosedRange<Double> = 50...90, verdictTarget: Double = 70, target: QualityTarget? = nil,
    takesBDRates: Bool = true, resamples: Int = 2000, seed: UInt64 = 2026,
    detailedImages: Int = 500, namedViolations: Int = 50
  ) {
    self.headlineMetric = headlineMetric
    self.targets = Set(targets.filter(\.isFinite)).sorted()
    self.band = band
    self.verdictTarget = verdictTarget
    self.target = target
    self.takesBDRates = takesBDRates && target == nil
    self.resamples = resamples
    self.seed = seed
    self.detailedImages = detailedImages
    self.namedViolations = namedViolations
  }
}
