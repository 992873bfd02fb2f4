public import BenchModel

/// The rate–quality curve of a variant over the corpus, for plots: the mean at the verdict's target, and from
/// there on the mean of the images' slopes, so that it does not jump where images drop out.
public struct MeanCurve: Sendable, Hashable, Codable {
  /// A point of the curve.
  public struct Point: Sendable, Hashable, Codable {
    /// The score on the metric's curve scale (see `MetricTraits.curveScale`): whole numbers.
    public var score: Double
    /// Geometric mean of the bits per pixel over the images where all variants reach the score, chained.
    public var bitsPerPixel: Double
    /// How many images reach the score with all variants. It varies along the curve.
    public var images: Int

    /// States a point.
    public init(score: Double, bitsPerPixel: Double, images: Int) {
      self.score = score
      self.bitsPerPixel = bitsPerPixel
      self.images = images
    }
  }

  /// The variant.
  public var variant: CodecVariant
  /// The headline metric's identifier.
  public var metric: String
  /// The points by ascending score.
  public var points: [Point]

  /// States a curve.
  public init(variant: CodecVariant, metric: String, points: [Point]) {
    self.variant = variant
    self.metric = metric
    self.points = points
  }
}
