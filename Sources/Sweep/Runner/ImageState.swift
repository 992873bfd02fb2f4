package import Model

/// What is known of an image while its points are measured, and so which come next: first the grid, then, when
/// all of it is there, round by round what the refinement or the search for a target asks for.
///
/// The rounds are gone through from the first one whatever is there already, so that the points of an image do not
/// depend on the order in which they were measured, nor on whether a run was interrupted.
struct ImageState {
  /// One of the plan's variants.
  private struct Variant {
    /// Its place among them.
    let place: Int
    /// The points that the run stands on.
    var known: [Quality: FinishedPoint] = [:]
    /// All points that are there, those that the strategy may come to need among them.
    var present: [Quality: FinishedPoint] = [:]
    /// Whether the strategy has what it wants, so that it is not asked again.
    var isSettled = false

    /// Has the run stand on a point beside the grid that is there; nil where there is none.
    mutating func use(_ quality: Quality) -> FinishedPoint? {
      guard let point = present[quality], known.updateValue(point, forKey: quality) == nil else { return nil }
      return point
    }
  }

  private let entry: CorpusEntry
  private let plan: SweepPlan
  private var variants: [Variant]
  /// Points that were asked for and have no outcome yet.
  private var open: Set<PointKey> = []
  /// How many rounds the strategy has had.
  private(set) var rounds = 0

  /// Sets out with what earlier runs have finished of the image, for all of the plan's variants or those at some places.
  init(plan: SweepPlan, variantsAt places: Range<Int>? = nil, entry: CorpusEntry, finished: FinishedImage) {
    self.plan = plan
    self.entry = entry
    let places = places ?? plan.variants.indices
    variants = places.map { Variant(place: $0) }
    for setup in finished.setups {
      guard let place = plan.place(of: setup), places.contains(place) else { continue }
      let index = place - places.lowerBound
      variants[index].present = setup.points
      variants[index].known.reserveCapacity(setup.points.count)
      for quality in plan.qualities { variants[index].known[quality] = setup.points[quality] }
    }
  }

  /// The grid's points that are left, to begin with.
  mutating func begin() -> [PointKey] {
    let points = variants.flatMap { variant in
      plan.qualities.filter { variant.known[$0] == nil }.map { key(variant, $0) }
    }
    open = Set(points)
    return points
  }

  /// Enters an outcome. Returns whether it was the last one that was waited for.
  mutating func enter(_ key: PointKey, _ outcome: PointOutcome) -> Bool {
    let point = FinishedPoint(outcome, metric: plan.strategyMetric)
    guard let index = variants.firstIndex(where: { plan.variants[$0.place].variant == key.variant }) else {
      return false
    }
    variants[index].present[key.quality] = point
    guard open.remove(key) != nil else { return false }
    variants[index].known[key.quality] = point
    return open.isEmpty
  }

  /// The points of the next round; none when the image is done. Those that are there are given to `reuse` and count
  /// at once.
  mutating func nextRound(reuse: (PointKey, FinishedPoint) throws -> Void) rethrows -> [PointKey] {
    guard let strategy = plan.strategy else { return [] }
    while true {
      rounds += 1
      var (missing, isOver) = ([PointKey](), true)
      for index in variants.indices where !variants[index].isSettled {
        let wanted = strategy.next(plan.variants[variants[index].place].variant, known: variants[index].known)
        variants[index].isSettled = wanted.isEmpty
        if !wanted.isEmpty { isOver = false }
        for quality in wanted {
          let key = key(variants[index], quality)
          if let point = variants[index].use(quality) {
            try reuse(key, point)
          } else {
            missing.append(key)
          }
        }
      }
      if !missing.isEmpty || isOver {
        open = Set(missing)
        return missing
      }
    }
  }

  private func key(_ variant: Variant, _ quality: Quality) -> PointKey {
    plan.point(of: entry, variantAt: variant.place, quality: quality)
  }
}

extension FinishedPoint {
  /// An outcome, with its score of a metric.
  package init(_ outcome: PointOutcome, metric: String?) {
    guard case .measured(let measurement) = outcome else {
      self.init()
      return
    }
    self.init(bytes: measurement.encodedBytes, score: metric.flatMap { measurement.scores[$0] })
  }
}
