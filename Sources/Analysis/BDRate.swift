package import Curves
internal import Foundation

/// The Bjøntegaard delta rate of one image: the mean difference of two rate–quality curves.
package enum BDRate {
  /// A BD-rate with the range that it was taken over.
  package struct Figure: Sendable, Hashable {
    /// How many percent more (positive) or fewer (negative) bytes at equal score: (exp(mean Δ ln bytes) − 1)·100.
    package var percent: Double
    /// The scores that it is the mean over, on the curve scale.
    package var scores: ClosedRange<Double>
    /// The share of the intended range that these are, 0 to 1.
    package var coverage: Double

    /// Whether it stands on too little of the intended range.
    package var hasLowOverlap: Bool { coverage < BDRate.sufficientCoverage }
  }

  /// The share of a range that has to be covered for a figure without a reservation.
  package static let sufficientCoverage = 0.75
  /// The share of a band that has to be covered for a figure that bears the band's name. Where 2 % are missing at
  /// one end, the figure of an image is off by up to 0.5, and a corpus in which all images miss them by 0.4:
  /// `docs/metrics.md`.
  package static let bandCoverage = 0.98

  /// The BD-rate over all scores that both curves reach. Its coverage is their share of the shorter curve.
  package static func overOverlap(
    _ candidate: RateQualityCurve, against reference: RateQualityCurve
  ) throws(CurveProblem) -> Figure {
    let shorter = min(width(candidate.scores), width(reference.scores))
    return try figure(candidate, reference, within: nil, fullWidth: shorter)
  }

  /// The BD-rate over a band of scores that both curves reach, but for `bandCoverage`: over another part of it
  /// the same curves give another figure. One encoder against itself needs no more than what both reach.
  /// - Parameter share: the share of the band meant that `band` is, where it was mapped from another metric's.
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
