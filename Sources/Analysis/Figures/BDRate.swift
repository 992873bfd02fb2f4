import Foundation
package import Model

/// Bjøntegaard delta rate of one image: the mean difference of two rate–quality curves.
package enum BDRate {
  package struct Figure: Sendable, Hashable {
    /// Percentage of additional (positive) or saved (negative) bytes at equal score: (exp(mean Δ ln bytes) − 1)·100.
    package var percent: Double
    /// The range of scores of the mean, on the curve scale.
    package var scores: ClosedRange<Double>
    /// Covered share of the intended range, 0 to 1.
    package var coverage: Double

    package var hasLowOverlap: Bool { coverage < BDRate.sufficientCoverage }
  }

  static let sufficientCoverage = 0.75
  /// The smallest covered share of a band for a figure under the band's name. With 2 % missing at one end, an image's
  /// figure is off by up to 0.5, and a corpus's by 0.4 if all images lack them: `docs/lab/metrics.md`.
  static let bandCoverage = 0.98

  /// Returns the BD-rate over all scores that both curves reach. Coverage is their share of the shorter curve.
  package static func overOverlap(
    _ candidate: RateQualityCurve, against reference: RateQualityCurve
  ) throws(CurveProblem) -> Figure {
    let shorter = min(width(candidate.scores), width(reference.scores))
    return try figure(candidate, reference, within: nil, fullWidth: shorter)
  }

  /// Returns the BD-rate over a band of scores. Both curves must cover `bandCoverage` of it, since another part of the
  /// band gives another figure; an encoder compared with itself needs only the common part.
  /// - Parameter share: Share of the intended band covered by `band`, if mapped from another metric's.
  package static func over(
    _ band: ClosedRange<Double>, _ candidate: RateQualityCurve, against reference: RateQualityCurve,
    share: Double = 1
  ) throws(CurveProblem) -> Figure {
    var figure = try figure(candidate, reference, within: band, fullWidth: width(band))
    figure.coverage *= share
    let isSameEncoder = candidate.bridgesGaps && reference.bridgesGaps
    guard figure.coverage >= bandCoverage || isSameEncoder else { throw .partOfRange }
    return figure
  }

  private static func figure(
    _ candidate: RateQualityCurve, _ reference: RateQualityCurve, within band: ClosedRange<Double>?,
    fullWidth: Double
  ) throws(CurveProblem) -> Figure {
    guard candidate.isComplete, reference.isComplete else { throw .tooFewPoints }
    let lower = max(candidate.scores.lowerBound, reference.scores.lowerBound, band?.lowerBound ?? -.infinity)
    let upper = min(candidate.scores.upperBound, reference.scores.upperBound, band?.upperBound ?? .infinity)
    guard lower < upper else { throw .noOverlap }
    guard candidate.isMeasured(over: lower...upper), reference.isMeasured(over: lower...upper) else {
      throw .sparse
    }
    guard let mean = candidate.meanLogBytes(over: lower...upper),
      let referenceMean = reference.meanLogBytes(over: lower...upper)
    else { throw .noOverlap }
    return Figure(
      percent: (exp(mean - referenceMean) - 1) * 100, scores: lower...upper,
      coverage: min((upper - lower) / fullWidth, 1))
  }

  private static func width(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }
}

/// Bjøntegaard delta rate of a variant over a corpus by one metric: VCEG-M33 (2001), with ln(bytes) as a PCHIP function
/// of the score; per image first, then the arithmetic mean over the images.
package struct BDRateSummary: Sendable, Hashable {
  /// The figure's range of scores, always printed with it: other ranges give quite different figures.
  package enum Range: Sendable, Hashable {
    case overlap
    /// Scores of the headline metric from the first to the second, as far as both curves reach them. Another metric
    /// uses its scores at the reference variant's points with these headline scores, image by image.
    case band(Double, Double)
  }

  package var variant: CodecVariant
  package var reference: CodecVariant
  package var metric: String
  package var range: Range
  package var percent: CorpusFigure?
  package var coverage: Double?
  package var problems: [ProblemCount]
}
