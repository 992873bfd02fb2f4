public import BenchModel
public import Curves

/// One image of the analysis with its points and figures, for plots and per-image tables.
public struct ImageDetail: Sendable, Hashable, Codable {
  /// A measured point.
  public struct Point: Sendable, Hashable, Codable {
    /// The quality.
    public var quality: Quality
    /// Bytes of the encoded file.
    public var bytes: Int
    /// The headline metric's score, as measured.
    public var score: Double?

    /// States a point.
    public init(quality: Quality, bytes: Int, score: Double?) {
      self.quality = quality
      self.bytes = bytes
      self.score = score
    }
  }

  /// One variant of the image.
  public struct Variant: Sendable, Hashable, Codable {
    /// The variant.
    public var variant: CodecVariant
    /// Its measured points by ascending quality.
    public var points: [Point]
    /// Why there is no curve; nil where there is one.
    public var problem: CurveProblem?
    /// Points left out of the curve because another one beats them in bytes and score alike.
    public var dominatedPoints: Int
    /// The change in bytes against the reference in percent, one for each of `AnalysisOptions.targets`.
    public var changeAtTargets: [Double?]
    /// The BD-rate by the headline metric over the band, percent.
    public var bdRateBand: Double?
    /// The BD-rate by the headline metric over the overlap, percent.
    public var bdRateOverlap: Double?

    /// States a variant's figures.
    public init(
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
  public var image: String
  /// Columns of the prepared raster.
  public var width: Int?
  /// Rows of the prepared raster.
  public var height: Int?
  /// Whether the source's format had lost something already.
  public var sourceIsLossy: Bool
  /// The variants in the order of the run, those without any row of this image left out.
  public var variants: [Variant]

  /// States an image's figures.
  public init(image: String, width: Int?, height: Int?, sourceIsLossy: Bool, variants: [Variant]) {
    self.image = image
    self.width = width
    self.height = height
    self.sourceIsLossy = sourceIsLossy
    self.variants = variants
  }
}
