package import Model

/// What an analysis is asked for. The defaults are those of the report.
package struct AnalysisOptions: Sendable, Hashable, Codable {
  /// Identifier of the metric that decides: targets and band are scores of this one.
  package var headlineMetric: String
  /// Scores at which variants are compared, ascending.
  package var targets: [Double]
  /// The scores that people use, over which the BD-rate of the verdict is taken.
  package var band: ClosedRange<Double>
  /// The target that the verdict speaks of; the nearest one that holds takes its place.
  package var verdictTarget: Double
  /// What was searched for in place of a sweep; nil for a sweep. A search's points stand close around its target
  /// and say nothing elsewhere, so that there are no BD-rates and nothing at equal quality numbers.
  package var target: QualityTarget?
  /// Whether BD-rates are taken.
  package var takesBDRates: Bool
  /// Resamples of a bootstrap interval.
  package var resamples: Int
  /// Seed of the bootstrap.
  package var seed: UInt64
  /// Up to how many images keep their points and figures in `Analysis.imageDetails`.
  package var detailedImages: Int
  /// Up to how many violations of one kind the sanity report names.
  package var namedViolations: Int

  /// States options; the default is SSIMULACRA2 at 50, 70, 80 and 90, with the band from 50 to 90.
  package init(
    headlineMetric: String = "ssimulacra2", targets: [Double] = [50, 70, 80, 90],
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
