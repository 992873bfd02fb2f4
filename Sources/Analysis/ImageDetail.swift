package import Curves
package import Model

/// One image of the analysis with its points and figures, for plots and per-image tables.
package struct ImageDetail: Sendable, Hashable {
  /// A measured point.
  package struct Point: Sendable, Hashable {
    /// The quality; nil for an imported file.
    package var quality: Quality?
    /// The name of an imported file; nil for a point of a codec.
    package var file: String?
    /// Bytes of the encoded file.
    package var bytes: Int
    /// The headline metric's score, as measured.
    package var score: Double?

    /// States a point.
    package init(quality: Quality?, file: String? = nil, bytes: Int, score: Double?) {
      self.quality = quality
      self.file = file
      self.bytes = bytes
      self.score = score
    }
  }

  /// One variant of the image.
  package struct Variant: Sendable, Hashable {
    /// The variant.
    package var variant: CodecVariant
    /// Its measured points by ascending quality.
    package var points: [Point]
    /// Why there is no curve; nil where there is one.
    package var problem: CurveProblem?
    /// Points left out of the curve because another one beats them in bytes and score alike.
    package var dominatedPoints: Int
    /// The change in bytes against the reference in percent, one for each of `AnalysisOptions.targets`.
    package var changeAtTargets: [Double?]
    /// The BD-rate by the headline metric over the band, percent.
    package var bdRateBand: Double?
    /// The BD-rate by the headline metric over the overlap, percent.
    package var bdRateOverlap: Double?

    /// States a variant's figures.
    package init(
      variant: CodecVariant, points: [Point], problem: CurveProblem?, dominatedPoints: Int,
      changeAtTargets: [Double?], bdRateBand: Double?, bdRateOverlap: Double?
    ) {
      self.variant = variant
      self.points = points
      self.problem = problem
      self.dominatedPoints = dominatedPoints
      self.changeAtTargets = changeAtTargets
      self.bdRateBand = bdRateBand
      self.bdRateOverlap = bdRateOverlap
    }
  }

  /// The image's printable name.
  package var image: String
  /// Columns of the prepared raster.
  package var width: Int?
  /// Rows of the prepared raster.
  package var height: Int?
  /// Whether the source's format had lost something already.
  package var sourceIsLossy: Bool
  /// Whether the image is smaller than the headline metric was made for: `MetricTraits.dependableSide`.
  package var isSmall = false
  /// The variants in the order of the run, those without any row of this image left out.
  package var variants: [Variant]

  /// States an image's figures.
  package init(image: String, width: Int?, height: Int?, sourceIsLossy: Bool, variants: [Variant]) {
    self.image = image
    self.width = width
    self.height = height
    self.sourceIsLossy = sourceIsLossy
    self.variants = variants
  }
}
