import Analysis
import Model

/// Chooses qualities to measure of an image and variant beside or instead of the grid, given those already measured.
protocol QualityStrategy: Sendable {
  /// The qualities to measure next, in any order; empty once the strategy needs no more. `known` holds the points that
  /// the run rests on, including those that could not be measured.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality]

  func expectedPoints(of variant: CodecVariant) -> Double
}

/// Searches for the quality that just reaches a target: about five points of an image and variant.
///
/// The search is replayed from its first quality, so that an image's points do not depend on earlier runs.
package struct TargetStrategy: Sendable, QualityStrategy {
  let target: QualityTarget
  let scales: [CodecVariant: ClosedRange<Int>]

  /// Tries from the middle of a scale with SSIMULACRA2 over libjpeg's and x265's: 4.8 on average for 40 to 88.
  func expectedPoints(of variant: CodecVariant) -> Double { 5 }

  /// The next quality to try; empty once the answer is known, or after a point that could not be measured.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality] {
    guard let stop = search(variant, known)?.stop, known[stop] == nil else { return [] }
    return [stop]
  }

  /// The search's result with these points; nil while it is not over.
  func result(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> TargetResult? {
    guard let (search, stop) = search(variant, known) else { return nil }
    guard let stop else {
      return TargetResult(
        quality: Quality(native: search.answer ?? search.extreme), isReached: search.answer != nil,
        probes: search.count)
    }
    return known[stop].map { _ in TargetResult(probes: search.count, obstacle: stop) }
  }

  /// True if the search can use a point: it was measured and has the score that is searched for.
  func canUse(_ point: FinishedPoint) -> Bool { value(of: point) != nil }

  private func search(
    _ variant: CodecVariant, _ known: [Quality: FinishedPoint]
  ) -> (search: QualitySearch, stop: Quality?)? {
    guard let scale = scales[variant] else { return nil }
    var search = QualitySearch(range: scale, target: goal)
    let stop = search.run { known[$0].flatMap(value(of:)) }
    return (search, stop)
  }

  private var goal: QualitySearch.Target {
    switch target.goal {
    case .score(let traits, let score): .atLeast(traits.higherIsBetter ? score : -score)
    case .bytes(let bytes): .atMost(Double(bytes))
    }
  }

  /// The value searched for; nil if the point was not measured or the metric is undefined for it.
  private func value(of point: FinishedPoint) -> Double? {
    switch target.goal {
    case .bytes: point.bytes.map(Double.init)
    case .score(let traits, _): point.score.map { traits.higherIsBetter ? $0 : -$0 }
    }
  }
}

struct TargetResult: Sendable, Hashable {
  /// The quality that reaches the target or comes nearest; nil if the search could not be finished.
  var quality: Quality?
  var isReached = false
  /// Qualities tried, those of earlier runs included.
  var probes: Int
  /// The quality that could not be measured, or lacks the score searched for; nil if the search was finished.
  var obstacle: Quality?
}
