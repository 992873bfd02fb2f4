import Analysis
import Reports

/// What a search among builds tells of itself while it lasts.
package enum BisectEvent: Sendable {
  /// A file could not be used and is left out.
  case failed(file: String, message: String)
  /// Two builds are being compared.
  case began(BisectProgress)
  /// A round of times is done.
  case round(BisectProgress)
  /// Two builds have been compared.
  case compared(BisectProgress)
}

/// How far a comparison of two builds is.
package struct BisectProgress: Sendable {
  let quantity: BuildQuantity
  /// The older build.
  package let before: String
  /// The newer build.
  package let after: String
  /// Which comparison of this quantity it is, from 1.
  package let comparison: Int
  /// How many there will be at most.
  package let mostComparisons: Int
  /// How many rounds of times are done; 0 where nothing is timed.
  package internal(set) var rounds = 0
  /// How many images a round has at most.
  package internal(set) var images = 0
  /// How many there are.
  package internal(set) var allImages = 0
  /// How long it has taken, seconds.
  package internal(set) var seconds = 0.0
  /// The change so far, with its interval where it has one; nil before the second round.
  package private(set) var change: String?
  /// What the change is beside the threshold so far: `moved`, `same` or `undecided`.
  package private(set) var verdict: String?
  /// How much longer it is likely to take, seconds; nil where nobody knows.
  package private(set) var likelySecondsLeft: Double?
  /// How much longer it takes at most, seconds, but for a round that is going on.
  package private(set) var mostSecondsLeft = 0.0

  /// What is compared: `bytes`, `decode times`.
  package var subject: String { quantity.isExact ? quantity.rawValue : "\(quantity.rawValue) times" }

  /// Takes what is known by now; nil before there is an interval.
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
