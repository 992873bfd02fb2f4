package import Model

/// The rate–quality curve of a variant over the corpus, for plots: the mean at the verdict's target, and from
/// there on the mean of the images' slopes, so that it does not jump where images drop out.
package struct MeanCurve: Sendable, Hashable {
  /// A point of the curve.
  package struct Point: Sendable, Hashable {
    /// The score on the metric's curve scale (see `MetricTraits.curveScale`): whole numbers.
    package var score: Double
    /// Geometric mean of the bits per pixel over the images where all variants reach the score, chained.
    package var bitsPerPixel: Double
    /// How many images reach the score with all variants. It varies along the curve.
    package var images: Int

    /// States a point.
    package init(score: Double, bitsPerPixel: Double, images: Int) {
      self.score = score
      self.bitsPerPixel = bitsPerPixel
      self.images = images
    }
  }

  /// The variant.
  package var variant: CodecVariant
  /// The headline metric's identifier.
  package var metric: String
  /// The points by ascending score.
  package var points: [Point]

  /// States a curve.
  package init(variant: CodecVariant, metric: String, points: [Point]) {
    self.variant = variant
    self.metric = metric
    self.points = points
  }
}
