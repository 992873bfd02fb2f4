import Analysis
package import Model

/// Chooses the points to measure for every image before any is measured finely: as few as a figure needs at the
/// headline's score, and in further rounds over all images at the other scores.
///
/// It requests only points of the grid and points that the refinement will request anyway, so that the order of
/// measurement does not change an image's points. First come the score's neighbours among the qualities. If these are
/// too far apart, the points next to them follow, since the refinement's first choice depends on four points; then that
/// choice.
package struct CoarseStrategy: Sendable {
  package let metric: MetricTraits
  /// The largest grid measured fully if one probe is not enough: the refinement's further rounds are then known.
  private static let shortGrid = 5
  /// The scores' positions on the metric's curve scale, by round.
  private let positions: [Double]
  /// Ascending.
  private let grid: [Quality]
  private let refinement: RefinementStrategy?

  /// - Parameter scores: The scores, the headline's first.
  init?(metric: MetricTraits, scores: [Double], grid: [Quality], refinement: RefinementStrategy?) {
    let positions = scores.compactMap(metric.curvePosition(of:))
    guard !positions.isEmpty, positions.count == scores.count, !grid.isEmpty else { return nil }
    (self.metric, self.positions, self.grid, self.refinement) = (metric, positions, grid, refinement)
  }

  var rounds: Int { positions.count }

  /// The index in the grid at which the search begins without results from other images.
  var middle: Int { (grid.count - 1) / 2 }

  /// The qualities to measure next; empty if there is a figure, or if only finer points can give one.
  /// - Parameters:
  ///   - guess: The index in the grid below the score in other images.
  func next(
    _ variant: CodecVariant, round: Int, known: [Quality: FinishedPoint], guess: Int
  ) -> [Quality] {
    let position = positions[round]
    switch place(of: position, known, guess: guess) {
    case .try(let index): return [grid[index]]
    case .beyond: return []
    case .between(let below, let above):
      guard !isClose(known, to: position) else { return [] }
      let beside = [below - 1, above + 1].filter(grid.indices.contains).map { grid[$0] }
        .filter { known[$0] == nil }
      guard beside.isEmpty else { return beside }
      let probes = probe(variant, known, between: grid[below], and: grid[above])
      guard probes.isEmpty, grid.count <= Self.shortGrid else { return probes }
      return grid.filter { known[$0] == nil }
    }
  }

  func found(_ known: [Quality: FinishedPoint], round: Int) -> Int? {
    guard case .between(let below, _) = place(of: positions[round], known, guess: 0) else { return nil }
    return below
  }

  private enum Place {
    case `try`(Int)
    /// Between these two, with no measurable quality of the grid in between.
    case between(Int, Int)
    /// Above or below all qualities, or without scores.
    case beyond
  }

  private func place(of position: Double, _ known: [Quality: FinishedPoint], guess: Int) -> Place {
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
    // Steps grow, so that a long list of qualities does not take many steps.
    case (_?, nil):
      return highest < grid.count - 1 ? .try(min(highest + tried.count, grid.count - 1)) : .beyond
    case (nil, _?): return lowest > 0 ? .try(max(lowest - tried.count, 0)) : .beyond
    case (nil, nil): return .beyond
    }
  }

  private func isClose(_ known: [Quality: FinishedPoint], to position: Double) -> Bool {
    let points = known.values.compactMap { point -> RateQualityCurve.Point? in
      guard let bytes = point.bytes, let score = point.score.flatMap(metric.curvePosition(of:)) else {
        return nil
      }
      return RateQualityCurve.Point(score: score, bytes: bytes)
    }
    return (try? RateQualityCurve(points))?.bytes(at: position) != nil
  }

  /// The points between two neighbours of the grid that the refinement's first round will request. Once they are
  /// measured, its further rounds depend on its requests elsewhere. If all of the grid is measured, the result is the
  /// missing points of its first incomplete round.
  private func probe(
    _ variant: CodecVariant, _ known: [Quality: FinishedPoint], between below: Quality, and above: Quality
  ) -> [Quality] {
    guard let refinement else { return [] }
    let qualities = Set(grid)
    var settled = known.filter { qualities.contains($0.key) }
    let isWhole = settled.count == qualities.count
    while case let next = refinement.next(variant, known: settled), !next.isEmpty {
      let missing = next.filter { known[$0] == nil && (isWhole || below < $0 && $0 < above) }
      guard isWhole, missing.isEmpty else { return missing }
      for quality in next { settled[quality] = known[quality] }
    }
    return []
  }
}

extension CoarseStrategy {
  /// The order in which images begin. It is random, so that those done at any time are a sample of all, with a valid
  /// interval.
  ///
  /// An image's points depend on each other, so few can be measured at the same time. An image that would keep one
  /// worker busy for as long as all the other images keep the rest busy begins before them. If it began last, it would
  /// leave the other workers idle.
  /// - Parameter names: The images' names, which decide the order (`FileSample.order`).
  static func order(ofPixels pixels: [Int], names: [String], jobs: Int) -> [Int] {
    var rest = pixels.indices.sorted { (pixels[$0], $0) < (pixels[$1], $1) }[...]
    var others = pixels.reduce(0.0) { $0 + Double($1) }
    var (early, workers) = ([Int](), jobs)
    while rest.count > 1, workers > 1, let largest = rest.last {
      others -= Double(pixels[largest])
      guard others > 0, Double(pixels[largest]) * Double(workers - 1) > others else { break }
      early.append(largest)
      rest.removeLast()
      workers -= 1
    }
    return early + FileSample.order(of: names).filter { !early.contains($0) }
  }
}

/// The places of a score in the grid in earlier images, which are tried first in the next image.
struct CoarseGuesses {
  private var counts: [CodecVariant: [Int: Int]] = [:]

  mutating func learn(_ places: [CodecVariant: Int]) {
    for (variant, place) in places { counts[variant, default: [:]][place, default: 0] += 1 }
  }

  func guess(_ variant: CodecVariant) -> Int? {
    guard let places = counts[variant] else { return nil }
    let half = places.values.reduce(0, +) / 2
    var sum = 0
    for (place, count) in places.sorted(by: { $0.key < $1.key }) {
      sum += count
      if sum > half { return place }
    }
    return nil
  }
}
