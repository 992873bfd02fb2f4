import Model

/// What is known of an image while its points are measured, and so which come next: first the grid, then, when
/// all of it is there, round by round what the refinement asks for.
struct ImageCourse {
  private let entry: CorpusEntry
  private let plan: SweepPlan
  private let grid: GridStrategy
  /// The points that the run stands on.
  private var known: [CodecVariant: [Quality: FinishedPoint]] = [:]
  /// Points of earlier runs that this one may come to need.
  private var spare: [PointKey: FinishedPoint]
  /// Points that were handed out and have no outcome yet.
  private var open = 0

  /// Sets out with what earlier runs have finished of the image.
  init(plan: SweepPlan, entry: CorpusEntry, finished: [PointKey: FinishedPoint]) {
    self.plan = plan
    self.entry = entry
    grid = GridStrategy(qualities: plan.qualities)
    spare = finished
    let qualities = Set(plan.qualities)
    for (key, point) in finished {
      let isRefined = plan.refinement != nil && point.origins.contains(.refined)
      guard qualities.contains(key.quality) || isRefined, isPlanned(key) else { continue }
      known[key.variant, default: [:]][key.quality] = point
      spare[key] = nil
    }
  }

  /// The points that the run stands on already.
  var settled: [PointKey] { keys { _, known in Array(known.keys) } }

  /// The grid's points that are left, to begin with.
  mutating func begin() -> [PointKey] {
    let points = keys { variant, known in grid.next(variant, known: known) }
    open = points.count
    return points
  }

  /// Enters an outcome. Returns whether it was the last one that was waited for.
  mutating func enter(_ key: PointKey, _ outcome: Outcome) -> Bool {
    known[key.variant, default: [:]][key.quality] = FinishedPoint(outcome, metric: plan.refinement?.metric.id)
    open -= 1
    return open == 0
  }

  /// The points of the next round; none when the image is done. Those that earlier runs have measured are given
  /// to `reuse` and count at once.
  mutating func nextRound(reuse: (PointKey) throws -> Void) rethrows -> [PointKey] {
    guard let refinement = plan.refinement else { return [] }
    while true {
      let wanted = keys { variant, known in refinement.next(variant, known: known) }
      let missing = wanted.filter { spare[$0] == nil }
      for key in wanted {
        guard let point = spare.removeValue(forKey: key) else { continue }
        known[key.variant, default: [:]][key.quality] = point
        try reuse(key)
      }
      if !missing.isEmpty || wanted.isEmpty {
        open = missing.count
        return missing
      }
    }
  }

  private func keys(
    _ qualities: (CodecVariant, [Quality: FinishedPoint]) -> [Quality]
  ) -> [PointKey] {
    plan.variants.flatMap { description in
      qualities(description.variant, known[description.variant] ?? [:]).map {
        plan.point(of: entry, description, quality: $0)
      }
    }
  }

  /// Other library versions are other points.
  private func isPlanned(_ key: PointKey) -> Bool {
    plan.variants.contains {
      $0.variant == key.variant && $0.librariesInKey == key.libraries
    }
  }
}

extension FinishedPoint {
  fileprivate init(_ outcome: Outcome, metric: String?) {
    guard case .measured(let measurement) = outcome else {
      self.init()
      return
    }
    self.init(bytes: measurement.encodedBytes, score: metric.flatMap { measurement.scores[$0] })
  }
}
