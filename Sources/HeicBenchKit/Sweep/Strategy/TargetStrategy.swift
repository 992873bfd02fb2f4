import Analysis
import Model

/// Chooses qualities to measure for an image and variant, in addition to the grid or instead of it, given those already
/// measured.
protocol QualityStrategy: Sendable {
  /// The qualities to measure next, in any order; empty once the strategy needs no more. `known` holds the points that
  /// the run is based on, including those that could not be measured.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality]

  func expectedPoints(of variant: CodecVariant) -> Double
}

/// Searches for the quality that just reaches a target, with about five points per image and variant.
///
/// The search is replayed from its first quality, so that an image's points do not depend on earlier runs.
package struct TargetStrategy: Sendable, QualityStrategy {
  let target: QualityTarget
  let scales: [CodecVariant: ClosedRange<Int>]

  /// Searches from the middle of libjpeg's and x265's scales took 4.8 tries on average for SSIMULACRA2 from 40 to 88.
  func expectedPoints(of variant: CodecVariant) -> Double { 5 }

  /// The next quality to try; empty once the answer is known, or after a point that could not be measured.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality] {
    guard let stop = search(variant, known)?.stop, known[stop] == nil else { return [] }
    return [stop]
  }

  /// The search's result with these points; nil until it ends.
  func result(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> TargetResult? {
    guard let (search, stop) = search(variant, known) else { return nil }
    guard let stop else {
      return TargetResult(
        quality: Quality(native: search.answer ?? search.extreme), isReached: search.answer != nil,
        probes: search.count)
    }
    return known[stop].map { _ in TargetResult(probes: search.count, obstacle: stop) }
  }

  /// True if the search can use a point, because it was measured and has the score that the search is about.
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
  /// The quality that reaches the target or comes closest; nil if the search could not be finished.
  var quality: Quality?
  var isReached = false
  /// The number of qualities tried, including those of earlier runs.
  var probes: Int
  /// The quality that could not be measured, or lacks the score; nil if the search was finished.
  var obstacle: Quality?
}
