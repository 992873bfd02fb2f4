import Foundation
import Metrics
package import Model

extension MetricTraits {
  /// Returns a score's position on the quality axis of a curve: larger is better. SSIM and MS-SSIM are taken in
  /// decibels, −10·log10(1 − score). Nil if that is not finite, as for a score of exactly 1, or if the score is at the
  /// metric's cap.
  package func curvePosition(of score: Double) -> Double? {
    if let cap, score >= cap { return nil }
    let position =
      switch curveScale {
      case .identity: higherIsBetter ? score : -score
      case .decibelsBelowOne: -10 * log10(1 - score)
      }
    return position.isFinite ? position : nil
  }

  /// Returns true if curves can be compared at the score: no SSIM of 5, and no SSIMULACRA2 of 200.
  package func isPossible(_ score: Double) -> Bool {
    guard score.isFinite, curvePosition(of: score) != nil else { return false }
    return score >= scale?.lowest ?? -.infinity && score <= scale?.highest ?? .infinity
  }

  package func curveRange(of scores: ClosedRange<Double>) -> ClosedRange<Double> {
    let ends = [scores.lowerBound, scores.upperBound].map { curvePosition(of: $0) ?? $0 }
    return min(ends[0], ends[1])...max(ends[0], ends[1])
  }

  /// Returns the score at a position of a curve: the inverse of `curvePosition(of:)`.
  package func score(atCurvePosition position: Double) -> Double {
    switch curveScale {
    case .identity: higherIsBetter ? position : -position
    case .decibelsBelowOne: 1 - pow(10, -position / 10)
    }
  }
}
