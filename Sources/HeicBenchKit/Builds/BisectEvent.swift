import Analysis
import Reports

/// Progress events of a search among builds.
package enum BisectEvent: Sendable {
  /// A file could not be used and is left out.
  case failed(file: String, message: String)
  case began(BisectProgress)
  case round(BisectProgress)
  case compared(BisectProgress)
}

/// Progress of one comparison of an older build (`before`) with a newer one (`after`).
package struct BisectProgress: Sendable {
  let quantity: BuildQuantity
  package let before: String
  package let after: String
  /// Number of this comparison among those of its quantity, from 1.
  package let comparison: Int
  package let mostComparisons: Int
  /// Rounds of timings done; 0 if nothing is timed.
  package internal(set) var rounds = 0
  /// Images in the largest round so far.
  package internal(set) var images = 0
  package internal(set) var allImages = 0
  package internal(set) var seconds = 0.0
  /// Change so far, with its interval if it has one; nil before the second round.
  package private(set) var change: String?
  /// Verdict on the change so far against the threshold: `moved`, `same` or `undecided`.
  package private(set) var verdict: String?
  /// Estimated time left; nil if unknown.
  package private(set) var likelySecondsLeft: Double?
  /// Upper bound on the time left, not counting a round in progress.
  package private(set) var mostSecondsLeft = 0.0

  /// Subject of the comparison, such as `bytes` or `decode times`.
  package var subject: String { quantity.isExact ? quantity.rawValue : "\(quantity.rawValue) times" }

  /// Records the contrast known so far; nil before there is an interval.
  mutating func note(_ contrast: BuildContrast?, _ request: BisectRequest) {
    let pace = rounds > 0 ? seconds / Double(rounds) : 0
    mostSecondsLeft = max(
      0, min(request.secondsPerComparison - seconds, Double(request.rounds - rounds) * pace))
    guard let contrast else { return }
    change = BisectSummary.change(contrast, of: quantity)
    verdict = contrast.verdict(threshold: request.threshold).rawValue
    guard rounds > 0 else { return }
    likelySecondsLeft = contrast.roundsToDecide(threshold: request.threshold).map {
      min(mostSecondsLeft, Double($0 - rounds) * pace)
    }
  }
}
