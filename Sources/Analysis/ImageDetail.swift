package import Model

/// One image of the analysis with its points and figures, for plots and per-image tables.
package struct ImageDetail: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// Nil for an imported file.
    package var quality: Quality?
    /// Name of an imported file; nil for a codec's point.
    package var file: String?
    package var bytes: Int
    /// The headline metric's score, as measured.
    package var score: Double?
  }

  package struct Variant: Sendable, Hashable {
    package var variant: CodecVariant
    /// Measured points by ascending quality.
    package var points: [Point]
    /// Reason for a missing curve; nil if there is one.
    package var problem: CurveProblem?
    /// Points left out of the curve because another one beats them in both bytes and score.
    package var dominatedPoints: Int
    /// Change in bytes against the reference in percent, one for each of `AnalysisOptions.targets`.
    package var changeAtTargets: [Double?]
    /// BD-rate by the headline metric over the band, percent.
    package var bdRateBand: Double?
    /// BD-rate by the headline metric over the overlap, percent.
    package var bdRateOverlap: Double?
  }

  package var image: String
  /// Columns of the prepared raster.
  package var width: Int?
  package var height: Int?
  /// True if the source's format is lossy.
  package var sourceIsLossy: Bool
  /// True if the image is smaller than the headline metric was made for: `MetricTraits.dependableSide`.
  package var isSmall = false
  /// In the order of the run, without those that lack any row of this image.
  package var variants: [Variant]
}
