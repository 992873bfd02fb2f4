import Model

/// The state of an image during the coarse stage, all of whose points `ImageState` asks for too.
struct CoarseState {
  private let entry: CorpusEntry
  private let plan: SweepPlan
  private let strategy: CoarseStrategy
  private let guesses: CoarseGuesses
  private var known: [CodecVariant: [Quality: FinishedPoint]] = [:]
  /// Points asked for and still without an outcome.
  private var open: Set<Case> = []

  /// - Parameters:
  ///   - finished: points of the image from earlier runs.
  ///   - guesses: places of the score in other images.
  init(
    plan: SweepPlan, strategy: CoarseStrategy, entry: CorpusEntry, finished: FinishedImage,
    guesses: CoarseGuesses
  ) {
    (self.plan, self.strategy, self.entry, self.guesses) = (plan, strategy, entry, guesses)
    for setup in finished.setups where plan.place(of: setup) != nil {
      known[setup.variant] = setup.points
    }
  }

  /// The points of the next step; empty once the image can wait for its finer ones.
  mutating func next() -> [Case] {
    let points = plan.variants.indices.flatMap { place in
      let variant = plan.variants[place].variant
      let guess = guesses.guess(variant) ?? strategy.middle
      return strategy.next(variant, known: known[variant] ?? [:], guess: guess)
        .map { plan.point(of: entry, variantAt: place, quality: $0) }
    }
    open = Set(points)
    return points
  }

  /// Enters an outcome. Returns true if it was the last one pending.
  mutating func enter(_ key: Case, _ point: FinishedPoint) -> Bool {
    known[key.variant, default: [:]][key.quality] = point
    return open.remove(key) != nil && open.isEmpty
  }

  /// The grid's points without an outcome.
  var missing: [Case] { plan.points(of: entry).filter { known[$0.variant]?[$0.quality] == nil } }

  var places: [CodecVariant: Int] { known.compactMapValues(strategy.found) }
}

/// Places in the grid of the headline's score in earlier images, tried first in the next one.
struct CoarseGuesses {
  private var counts: [CodecVariant: [Int: Int]] = [:]

  mutating func learn(_ places: [CodecVariant: Int]) {
    for (variant, place) in places { counts[variant, default: [:]][place, default: 0] += 1 }
  }

  /// The median place; nil before there is any.
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
