import Model

/// What is known of an image while it is measured coarsely, and so which points come next. All of them are points
/// that `ImageState` asks for too.
struct CoarseState {
  private let entry: CorpusEntry
  private let plan: SweepPlan
  private let strategy: CoarseStrategy
  private let guesses: CoarseGuesses
  private var known: [CodecVariant: [Quality: FinishedPoint]] = [:]
  /// Points that were asked for and have no outcome yet.
  private var open: Set<PointKey> = []

  /// Sets out with what earlier runs have finished of the image, and with where other images have the score.
  init(
    plan: SweepPlan, strategy: CoarseStrategy, entry: CorpusEntry, finished: FinishedImage,
    guesses: CoarseGuesses
  ) {
    (self.plan, self.strategy, self.entry, self.guesses) = (plan, strategy, entry, guesses)
    for setup in finished.setups where plan.place(of: setup) != nil {
      known[setup.variant] = setup.points
    }
  }

  /// The points of the next step; none when the image can wait for its finer ones.
  mutating func next() -> [PointKey] {
    let points = plan.variants.indices.flatMap { place in
      let variant = plan.variants[place].variant
      let guess = guesses.guess(variant) ?? strategy.middle
      return strategy.next(variant, known: known[variant] ?? [:], guess: guess)
        .map { plan.point(of: entry, variantAt: place, quality: $0) }
    }
    open = Set(points)
    return points
  }

  /// Enters an outcome. Returns whether it was the last one that was waited for.
  mutating func enter(_ key: PointKey, _ point: FinishedPoint) -> Bool {
    known[key.variant, default: [:]][key.quality] = point
    return open.remove(key) != nil && open.isEmpty
  }

  /// The grid's points that are not there yet.
  var missing: [PointKey] { plan.points(of: entry).filter { known[$0.variant]?[$0.quality] == nil } }

  /// Where the image has the score, by variant.
  var places: [CodecVariant: Int] { known.compactMapValues(strategy.found) }
}

/// Where in the grid images have the headline's score, so that the next one is looked at there first.
struct CoarseGuesses {
  private var counts: [CodecVariant: [Int: Int]] = [:]

  /// Learns an image's places.
  mutating func learn(_ places: [CodecVariant: Int]) {
    for (variant, place) in places { counts[variant, default: [:]][place, default: 0] += 1 }
  }

  /// The median place; nil before there is one.
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
