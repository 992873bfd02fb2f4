package import Model

/// The state of an image during measurement, which determines its next points: first the grid, then, once it is
/// complete, the rounds of the refinement or of the search for a target.
///
/// Rounds are replayed from the first, whatever is already present, so that an image's points depend neither on the
/// order of measurement nor on interruptions.
struct ImageState {
  private struct Variant {
    /// The index in the plan's variants.
    let place: Int
    /// The points that this run's decisions rest on.
    var known: [Quality: FinishedPoint] = [:]
    /// All present points, including those that the strategy may need later.
    var present: [Quality: FinishedPoint] = [:]
    /// True once the strategy asks for nothing more.
    var isSettled = false

    /// Adds a present point beside the grid to `known`; nil if there is none or it was already added.
    mutating func use(_ quality: Quality) -> FinishedPoint? {
      guard let point = present[quality], known.updateValue(point, forKey: quality) == nil else { return nil }
      return point
    }
  }

  private let entry: CorpusEntry
  private let plan: SweepPlan
  private var variants: [Variant]
  /// Points asked for and still without an outcome.
  private var open: Set<Case> = []
  private(set) var rounds = 0

  /// - Parameters:
  ///   - places: indices of the plan's variants; nil for all.
  ///   - finished: points of the image from earlier runs.
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

  /// The grid's remaining points.
  mutating func begin() -> [Case] {
    let points = variants.flatMap { variant in
      plan.qualities.filter { variant.known[$0] == nil }.map { key(variant, $0) }
    }
    open = Set(points)
    return points
  }

  /// Enters an outcome. Returns true if it was the last one pending.
  mutating func enter(_ key: Case, _ outcome: PointOutcome) -> Bool {
    let point = FinishedPoint(outcome, metric: plan.strategyMetric)
    guard let index = variants.firstIndex(where: { plan.variants[$0.place].variant == key.variant }) else {
      return false
    }
    variants[index].present[key.quality] = point
    guard open.remove(key) != nil else { return false }
    variants[index].known[key.quality] = point
    return open.isEmpty
  }

  /// The points of the next round; empty once the image is done. Points already present go to `reuse` at once.
  mutating func nextRound(reuse: (Case, FinishedPoint) throws -> Void) rethrows -> [Case] {
    guard let strategy = plan.strategy else { return [] }
    while true {
      rounds += 1
      var (missing, isOver) = ([Case](), true)
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

  private func key(_ variant: Variant, _ quality: Quality) -> Case {
    plan.point(of: entry, variantAt: variant.place, quality: quality)
  }
}

extension FinishedPoint {
  package init(_ outcome: PointOutcome, metric: String?) {
    guard case .measured(let measurement) = outcome else {
      self.init()
      return
    }
    self.init(bytes: measurement.encodedBytes, score: metric.flatMap { measurement.scores[$0] })
  }
}
