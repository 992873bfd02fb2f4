package import Model

/// Looks for the quality that just reaches a target: about five points of an image and variant instead of a whole grid.
///
/// The search is gone through from its first quality whatever is known, so that an image's points do not depend on what
/// earlier runs have measured.
package struct TargetStrategy: Sendable, QualityStrategy {
  /// What to reach.
  package let target: QualityTarget
  /// The codecs' own quality scales.
  private let scales: [CodecVariant: ClosedRange<Int>]

  init(target: QualityTarget, scales: [CodecVariant: ClosedRange<Int>]) {
    (self.target, self.scales) = (target, scales)
  }

  /// Tries from the middle of a scale with SSIMULACRA2 over libjpeg's and x265's: 4.8 on average for 40 to 88.
  func expectedPoints(of variant: CodecVariant) -> Double { 5 }

  /// The next quality to try; none when the answer is known, and none after a point that could not be measured.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality] {
    guard let stop = search(variant, known)?.stop, known[stop] == nil else { return [] }
    return [stop]
  }

  /// What the search has found among these points; nil where it is not over.
  package func result(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> TargetResult? {
    guard let (search, stop) = search(variant, known) else { return nil }
    guard let stop else {
      return TargetResult(
        quality: Quality(native: search.answer ?? search.extreme), isReached: search.answer != nil,
        probes: search.count)
    }
    return known[stop].map { _ in TargetResult(probes: search.count, obstacle: stop) }
  }

  /// Whether the search can go on from a point: it was measured, and has the score that is searched for.
  func canUse(_ point: FinishedPoint) -> Bool { value(of: point) != nil }

  /// The search as far as it gets, and the quality that it gets no further at.
  private func search(
    _ variant: CodecVariant, _ known: [Quality: FinishedPoint]
  ) -> (search: QualitySearch, stop: Quality?)? {
    guard let scale = scales[variant] else { return nil }
    var search = QualitySearch(range: scale, target: goal)
    while let native = search.next, let quality = Quality(native: native) {
      guard let value = known[quality].flatMap(value(of:)) else { return (search, quality) }
      search.enter(value, at: native)
    }
    return (search, nil)
  }

  private var goal: QualitySearch.Target {
    switch target.goal {
    case .score(let traits, let score): .atLeast(traits.higherIsBetter ? score : -score)
    case .bytes(let bytes): .atMost(Double(bytes))
    }
  }

  /// What the search goes by; nil where the point was not measured or the metric is not defined for it.
  private func value(of point: FinishedPoint) -> Double? {
    switch target.goal {
    case .bytes: point.bytes.map(Double.init)
    case .score(let traits, _): point.score.map { traits.higherIsBetter ? $0 : -$0 }
    }
  }
}

/// What a search for a target found for one image and variant.
package struct TargetResult: Sendable, Hashable {
  /// The quality that reaches the target, or comes nearest; nil where the search could not be finished.
  package var quality: Quality?
  /// Whether the target is reached at all.
  package var isReached = false
  /// Qualities that were looked at, those of earlier runs included.
  package var probes: Int
  /// The quality at which nothing could be measured, or not the score that is searched for; nil where the search was
  /// finished.
  package var obstacle: Quality?
}
