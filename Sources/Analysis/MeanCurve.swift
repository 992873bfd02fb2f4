package import Model

/// Rate–quality curve of a variant over the corpus, for plots: the mean at the verdict's target, and from there the
/// mean of the images' slopes, so that it does not jump where images drop out.
package struct MeanCurve: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// Position on the metric's curve scale (see `MetricTraits.curveScale`), a whole number for SSIMULACRA2.
    package var score: Double
    /// Geometric mean of the bits per pixel over the images where all variants reach the score, chained.
    package var bitsPerPixel: Double
    /// Images that reach the score with all variants; varies along the curve.
    package var images: Int
  }

  package var variant: CodecVariant
  package var metric: String
  /// By ascending score.
  package var points: [Point]
}
