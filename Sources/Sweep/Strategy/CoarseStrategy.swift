import Curves
package import Model

/// What is measured of every image before any is measured finely: as few points as a figure at the headline's score
/// takes.
///
/// It asks for points of the grid, and for those that the refinement will ask for anyway, so that the order in which
/// an image's points are measured changes none of them: neighbours of the score are looked for among the qualities,
/// the points beside them are added where these are too far apart, since the refinement's first choice depends on
/// four points, and then that choice is measured too.
package struct CoarseStrategy: Sendable {
  /// The metric that the score is of.
  package let metric: MetricTraits
  /// So many qualities lie so far apart that one choice between two of them seldom is enough. The refinement's further
  /// rounds are known once all of them are measured.
  private static let shortGrid = 5
  /// Where the score lies on the metric's curve scale.
  private let position: Double
  /// The qualities that were asked for, ascending.
  private let grid: [Quality]
  private let refinement: RefinementStrategy?

  /// Aims at a score; nil where there can be no such score.
  init?(metric: MetricTraits, score: Double, grid: [Quality], refinement: RefinementStrategy?) {
    guard let position = metric.curvePosition(of: score), !grid.isEmpty else { return nil }
    (self.metric, self.position, self.grid, self.refinement) = (metric, position, grid, refinement)
  }

  /// The place in the grid from which the search begins where nothing is known of other images.
  var middle: Int { (grid.count - 1) / 2 }

  /// The qualities to measure next; empty when there is a figure, or when only finer points can give one.
  ///
  /// - Parameters:
  ///   - known: what is known of the image under the variant.
  ///   - guess: the place in the grid under which other images have the score.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint], guess: Int) -> [Quality] {
    switch place(known, guess: guess) {
    case .try(let index): return [grid[index]]
    case .beyond: return []
    case .between(let below, let above):
      guard !isClose(known) else { return [] }
      let beside = [below - 1, above + 1].filter(grid.indices.contains).map { grid[$0] }
        .filter { known[$0] == nil }
      guard beside.isEmpty else { return beside }
      let probes = probe(variant, known, between: grid[below], and: grid[above])
      guard probes.isEmpty, grid.count <= Self.shortGrid else { return probes }
      return grid.filter { known[$0] == nil }
    }
  }

  /// The place in the grid under which the image has the score; nil where that is not known yet.
  func found(_ known: [Quality: FinishedPoint]) -> Int? {
    guard case .between(let below, _) = place(known, guess: 0) else { return nil }
    return below
  }

  private enum Place {
    /// This place in the grid has to be measured to know.
    case `try`(Int)
    /// Between these two, which nothing that can be measured lies between.
    case between(Int, Int)
    /// Above or below all qualities, or there are no scores.
    case beyond
  }

  private func place(_ known: [Quality: FinishedPoint], guess: Int) -> Place {
    let scores = grid.map { known[$0]?.score.flatMap(metric.curvePosition(of:)) }
    let tried = grid.indices.filter { known[grid[$0]] != nil }
    guard let lowest = tried.first, let highest = tried.last else {
      return .try(min(max(guess, 0), grid.count - 1))
    }
    let below = scores.lastIndex { $0.map { $0 < position } ?? false }
    let above = scores.indices.first { $0 > below ?? -1 && scores[$0].map { $0 >= position } ?? false }
    switch (below, above) {
    case (let below?, let above?):
      let between = (below + 1..<above).filter { known[grid[$0]] == nil }
      return between.isEmpty ? .between(below, above) : .try(between[between.count / 2])
    // Steps grow, so that a long list of qualities does not take long.
    case (_?, nil):
      return highest < grid.count - 1 ? .try(min(highest + tried.count, grid.count - 1)) : .beyond
    case (nil, _?): return lowest > 0 ? .try(max(lowest - tried.count, 0)) : .beyond
    case (nil, nil): return .beyond
    }
  }

  /// Whether a figure may be read off at the score.
  private func isClose(_ known: [Quality: FinishedPoint]) -> Bool {
    let points = known.values.compactMap { point -> RateQualityCurve.Point? in
      guard let bytes = point.bytes, let score = point.score.flatMap(metric.curvePosition(of:)) else {
        return nil
      }
      return RateQualityCurve.Point(score: score, bytes: bytes)
    }
    return (try? RateQualityCurve(points))?.bytes(at: position) != nil
  }

  /// What the refinement's first round is going to ask for between two neighbours of the grid. Once that is measured,
  /// its further rounds depend on what it asks for elsewhere.
  private func probe(
    _ variant: CodecVariant, _ known: [Quality: FinishedPoint], between below: Quality, and above: Quality
  ) -> [Quality] {
    guard let refinement else { return [] }
    let qualities = Set(grid)
    if qualities.allSatisfy({ known[$0] != nil }) { return round(variant, known, refinement, qualities) }
    let next = refinement.next(variant, known: known.filter { qualities.contains($0.key) })
    return next.filter { below < $0 && $0 < above && known[$0] == nil }
  }

  /// What is missing of the first of the refinement's rounds that is not complete, where all of the grid is measured.
  private func round(
    _ variant: CodecVariant, _ known: [Quality: FinishedPoint], _ refinement: RefinementStrategy,
    _ qualities: Set<Quality>
  ) -> [Quality] {
    var settled = known.filter { qualities.contains($0.key) }
    while case let next = refinement.next(variant, known: settled), !next.isEmpty {
      let missing = next.filter { known[$0] == nil }
      guard missing.isEmpty else { return missing }
      for quality in next { settled[quality] = known[quality] }
    }
    return []
  }
}
