package import Model

/// The state of an image during measurement, which determines its next points: coarse steps, or the grid and, once that
/// is complete, the rounds of the refinement or of the search for a target.
///
/// Rounds are replayed from the first, whatever is already present, so that an image's points do not depend on the
/// order of measurement or on interruptions.
struct ImageState {
  enum Stage {
    /// The points around one score, all of which the fine stage requests too.
    case coarse
    case fine
    /// A search for a target, in which variants advance independently.
    case search
  }

  private struct Variant {
    /// The points that this run's decisions are based on.
    var known: [Quality: FinishedPoint] = [:]
    /// All present points, including those that the strategy may need later.
    var present: [Quality: FinishedPoint] = [:]
    var isSettled = false

    /// Adds a present point off the grid to `known`; nil if there is none or it was already added.
    mutating func use(_ quality: Quality) -> FinishedPoint? {
      guard let point = present[quality], known.updateValue(point, forKey: quality) == nil else { return nil }
      return point
    }
  }

  let stage: Stage
  /// The round of the coarse stage.
  let round: Int
  private let entry: CorpusEntry
  private let plan: SweepPlan
  private var variants: [Variant]
  private var open: Set<Case> = []

  /// - Parameter finished: Points of the image from earlier runs.
  init(_ stage: Stage, round: Int = 0, plan: SweepPlan, entry: CorpusEntry, finished: FinishedImage) {
    (self.stage, self.round, self.plan, self.entry) = (stage, round, plan, entry)
    variants = Array(repeating: Variant(), count: plan.variants.count)
    for setup in finished.setups {
      guard let place = plan.place(of: setup) else { continue }
      variants[place].present = setup.points
      guard stage != .coarse else { continue }
      variants[place].known.reserveCapacity(setup.points.count)
      for quality in plan.qualities { variants[place].known[quality] = setup.points[quality] }
    }
  }

  /// True if a point was handed out and has no outcome yet.
  func isOpen(_ key: Case) -> Bool { open.contains(key) }

  var missing: [Case] {
    variants.indices.flatMap { place in
      plan.qualities.filter { variants[place].present[$0] == nil }.map { key(place, $0) }
    }
  }

  var searched: [CodecVariant] {
    variants.indices.filter { !variants[$0].isSettled }.map { plan.variants[$0].variant }
  }

  /// The place of the round's score in the grid, as far as it is known.
  var scorePlaces: [CodecVariant: Int] {
    let places = variants.indices.compactMap { place in
      plan.coarse?.found(variants[place].present, round: round).map { (plan.variants[place].variant, $0) }
    }
    return Dictionary(places, uniquingKeysWith: { first, _ in first })
  }

  mutating func begin() -> [Case] {
    let points = missing
    open = Set(points)
    return points
  }

  /// Enters an outcome. Returns true if it was the last pending one, or the last of its variant in a search.
  mutating func enter(_ key: Case, _ point: FinishedPoint) -> Bool {
    guard let place = plan.variants.firstIndex(where: { $0.variant == key.variant }) else { return false }
    variants[place].present[key.quality] = point
    guard open.remove(key) != nil else { return false }
    variants[place].known[key.quality] = point
    return open.isEmpty || stage == .search
  }

  /// The points of the next coarse step; empty once the image can wait for its fine stage.
  mutating func nextStep(_ guesses: CoarseGuesses) -> [Case] {
    guard let strategy = plan.coarse else { return [] }
    let points = variants.indices.flatMap { place in
      let variant = plan.variants[place].variant
      let guess = guesses.guess(variant) ?? strategy.middle
      return strategy.next(variant, round: round, known: variants[place].present, guess: guess)
        .map { key(place, $0) }
    }
    open = Set(points)
    return points
  }

  /// The points of the next round; empty once the image, or the variant, is done. Present points go to `reuse`.
  mutating func nextRound(
    of variant: CodecVariant? = nil, reuse: (Case, FinishedPoint) throws -> Void
  ) rethrows -> [Case] {
    guard let strategy = plan.strategy else { return [] }
    let places = variants.indices.filter { variant == nil || plan.variants[$0].variant == variant }
    while true {
      var (missing, isOver) = ([Case](), true)
      for place in places where !variants[place].isSettled {
        let wanted = strategy.next(plan.variants[place].variant, known: variants[place].known)
        variants[place].isSettled = wanted.isEmpty
        if !wanted.isEmpty { isOver = false }
        for quality in wanted {
          let key = key(place, quality)
          if let point = variants[place].use(quality) {
            try reuse(key, point)
          } else {
            missing.append(key)
          }
        }
      }
      if !missing.isEmpty || isOver {
        open.formUnion(missing)
        return missing
      }
    }
  }

  private func key(_ place: Int, _ quality: Quality) -> Case {
    plan.point(of: entry, variantAt: place, quality: quality)
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
