package import Model

/// What is known of an image while its points are measured, and so which come next: first the grid, then, when
/// all of it is there, round by round what the refinement or the search for a target asks for.
///
/// The rounds are gone through from the first one whatever is there already, so that the points of an image do not
/// depend on the order in which they were measured, nor on whether a run was interrupted.
struct ImageState {
  private let entry: CorpusEntry
  private let plan: SweepPlan
  private let variants: [VariantDescription]
  /// The points that the run stands on.
  private var known: [CodecVariant: [Quality: FinishedPoint]] = [:]
  /// Points beside the grid that are there, which the strategy may come to need.
  private var spare: [CodecVariant: [Quality: FinishedPoint]] = [:]
  /// Points that were asked for and have no outcome yet.
  private var open: Set<PointKey> = []
  /// Variants of which the strategy has what it wants, which it is not asked about again.
  private var settled: Set<CodecVariant> = []
  /// How many rounds the strategy has had.
  private(set) var rounds = 0

  /// Sets out with what earlier runs have finished of the image, for all of the plan's variants or some.
  init(
    plan: SweepPlan, variants: [VariantDescription]? = nil, entry: CorpusEntry,
    finished: FinishedImage
  ) {
    self.plan = plan
    self.variants = variants ?? plan.variants
    self.entry = entry
    for setup in finished.setups where plan.isPlanned(setup.variant, libraries: setup.libraries) {
      var (inGrid, others) = ([Quality: FinishedPoint](), setup.points)
      for quality in plan.qualities { inGrid[quality] = others.removeValue(forKey: quality) }
      known[setup.variant] = inGrid
      spare[setup.variant] = others
    }
  }

  /// The grid's points that are left, to begin with.
  mutating func begin() -> [PointKey] {
    let points = keys { _, known in plan.qualities.filter { known[$0] == nil } }
    open = Set(points)
    return points
  }

  /// Enters an outcome. Returns whether it was the last one that was waited for.
  mutating func enter(_ key: PointKey, _ outcome: PointOutcome) -> Bool {
    let point = FinishedPoint(outcome, metric: plan.strategyMetric)
    guard open.remove(key) != nil else {
      spare[key.variant, default: [:]][key.quality] = point
      return false
    }
    known[key.variant, default: [:]][key.quality] = point
    return open.isEmpty
  }

  /// The points of the next round; none when the image is done. Those that are there are given to `reuse` and count
  /// at once.
  mutating func nextRound(reuse: (PointKey, FinishedPoint) throws -> Void) rethrows -> [PointKey] {
    guard let strategy = plan.strategy else { return [] }
    while true {
      rounds += 1
      let settledBefore = settled
      var settledNow: Set<CodecVariant> = []
      let wanted = keys { variant, known in
        guard !settledBefore.contains(variant) else { return [] }
        let qualities = strategy.next(variant, known: known)
        if qualities.isEmpty { settledNow.insert(variant) }
        return qualities
      }
      settled.formUnion(settledNow)
      let missing = wanted.filter { spare[$0.variant]?[$0.quality] == nil }
      for key in wanted {
        guard let point = spare[key.variant]?.removeValue(forKey: key.quality) else { continue }
        known[key.variant, default: [:]][key.quality] = point
        try reuse(key, point)
      }
      if !missing.isEmpty || wanted.isEmpty {
        open = Set(missing)
        return missing
      }
    }
  }

  private func keys(
    _ qualities: (CodecVariant, [Quality: FinishedPoint]) -> [Quality]
  ) -> [PointKey] {
    variants.flatMap { description in
      qualities(description.variant, known[description.variant] ?? [:]).map {
        plan.point(of: entry, description, quality: $0)
      }
    }
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
