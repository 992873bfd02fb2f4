package import Model

/// Bjøntegaard delta rate of a variant over a corpus by one metric: percentage of additional (positive) or saved
/// (negative) bytes at equal score, averaged over a range of scores.
///
/// Bjøntegaard, VCEG-M33 (2001), with ln(bytes) as a PCHIP function of the score; per image first, then the arithmetic
/// mean over the images.
package struct BDRateSummary: Sendable, Hashable {
  /// Range of scores of the figure, always printed with it: other ranges give quite different figures.
  package enum Range: Sendable, Hashable {
    /// All scores that both curves of an image reach.
    case overlap
    /// Scores of the headline metric from the first to the second, as far as both curves reach them. Another metric
    /// uses its scores at the reference variant's points with these headline scores, image by image.
    case band(Double, Double)
  }

  package var variant: CodecVariant
  package var reference: CodecVariant
  /// The metric's identifier.
  package var metric: String
  package var range: Range
  /// BD-rates in percent; nil if there are none.
  package var percent: CorpusFigure?
  /// Mean covered share of the intended range, 0 to 1; nil without a figure.
  package var coverage: Double?
  /// Obstacles and reservations, in the order of `CurveProblem`.
  package var problems: [ProblemCount]
}
