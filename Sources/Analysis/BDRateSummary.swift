package import Curves
package import Model

/// The Bjøntegaard delta rate of a variant over a corpus by one metric: how many percent more (positive) or
/// fewer (negative) bytes it takes at equal score, averaged over a range of scores.
///
/// Bjøntegaard, VCEG-M33 (2001), with ln(bytes) as a PCHIP function of the score; per image first, then the
/// arithmetic mean over the images.
package struct BDRateSummary: Sendable, Hashable {
  /// The range of scores that the figure is taken over. The same data give quite different figures over
  /// different ranges, so it is printed with every figure.
  package enum Range: Sendable, Hashable {
    /// All scores that both curves of an image reach.
    case overlap
    /// The scores of the headline metric from the first to the second, as far as both curves reach them. For
    /// another metric: its scores where the reference variant has these headline scores, image by image.
    case band(Double, Double)
  }

  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// The metric's identifier.
  package var metric: String
  /// The range of scores.
  package var range: Range
  /// The BD-rates in percent; nil where none exists.
  package var percent: CorpusFigure?
  /// The mean share of the intended range that was covered, 0 to 1; nil where no figure exists.
  package var coverage: Double?
  /// What stood in the way, or calls for care, in the order of `CurveProblem`.
  package var problems: [ProblemCount]

  /// States a figure.
  package init(
    variant: CodecVariant, reference: CodecVariant, metric: String, range: Range, percent: CorpusFigure?,
    coverage: Double?, problems: [ProblemCount]
  ) {
    self.variant = variant
    self.reference = reference
    self.metric = metric
    self.range = range
    self.percent = percent
    self.coverage = coverage
    self.problems = problems
  }
}
