import Metrics
package import Model

/// Options of an analysis; the report uses the defaults.
package struct AnalysisOptions: Sendable, Hashable, Codable {
  /// Identifier of the deciding metric; `targets` and `band` are scores of this metric.
  package var headlineMetric = MetricTraits.headline.id
  /// Scores at which variants are compared, ascending.
  package var targets = [50.0, 70, 80, 90]
  /// Scores in practical use, the range of the verdict's BD-rate.
  package var band = 50.0...90
  /// Target of the verdict; if it has no figure, the nearest target with a figure is used instead.
  package var verdictTarget = 70.0
  /// The verdict's target, then those above it, then those below.
  package var scoresInTurn: [Double] {
    [verdictTarget] + targets.filter { $0 > verdictTarget } + targets.filter { $0 < verdictTarget }
  }
  /// Goal of a search; nil for a sweep. A search's points lie close to its target and say nothing elsewhere, so it has
  /// no BD-rates and no figures at equal quality numbers.
  package var target: QualityTarget?
  /// The number of images from which the run's images were drawn; nil if the run has all.
  package var population: Int?
  /// True if ratios of times have intervals.
  package var givesTimeIntervals = false
  package var resamples = 2000
  package var seed: UInt64 = 2026
  /// The maximum number of images with points and figures in `Analysis.imageDetails`.
  package var detailedImages = 500

  package static let standard = AnalysisOptions()

  var takesBDRates: Bool { target == nil && band.lowerBound < band.upperBound }
}
