import Foundation

/// The qualities of a variant tried on a file, and an estimate of where its curve reaches a score.
package struct CurveTries: Sendable {
  package struct Try: Sendable {
    package let bytes: Int
    package let score: Double
    package let seconds: Double

    package init(bytes: Int, score: Double, seconds: Double) {
      (self.bytes, self.score, self.seconds) = (bytes, score, seconds)
    }
  }

  /// The steps of a curve per point of the score.
  package struct Slope: Sendable {
    /// In native qualities.
    package let native: Double
    /// In natural logarithms of bytes.
    package let bytes: Double

    package init(native: Double, bytes: Double) { (self.native, self.bytes) = (native, bytes) }
  }

  /// A place on the curve, between two tries or close to one.
  package struct Place: Sendable {
    package let native: Double
    package let bytes: Double
    package let nearest: Try
    /// True if no further try is needed: between two tries by the rule for printed figures, or close beyond one.
    package let isClose: Bool
  }

  /// The largest distance from a single try, in natural logarithms of bytes: a slope that is off by a fifth causes an
  /// error of 2 %.
  private static let reach = 0.1
  /// The largest factor from a try to bytes beyond it. Codecs' scales span less; two tries may rise at any rate.
  private static let mostRise = 1000.0

  package private(set) var known: [Int: Try] = [:]

  package init() {}

  package subscript(native: Int) -> Try? {
    get { known[native] }
    set { known[native] = newValue }
  }

  /// The slope between the try nearest to a score and the next one with another score, since two qualities may make the
  /// same file; nil if there are none, or if they do not rise.
  package func slope(at score: Double) -> Slope? {
    // Puts the lower quality first for equal scores, whatever the dictionary's order.
    let near = known.sorted { a, b in
      (abs(a.value.score - score), a.key) < (abs(b.value.score - score), b.key)
    }
    guard let first = near.first, let second = near.first(where: { $0.value.score != first.value.score })
    else { return nil }
    let points = second.value.score - first.value.score
    let slope = Slope(
      native: Double(second.key - first.key) / points,
      bytes: log(Double(second.value.bytes) / Double(first.value.bytes)) / points)
    return slope.native > 0 && slope.native.isFinite && slope.bytes > 0 ? slope : nil
  }

  /// The bytes at a quality, from a try or along the curve between or beyond the nearest tries; nil without a try.
  /// - Parameter likely: The slope of similar curves, for use if these tries have none.
  package func bytes(at native: Double, near score: Double, likely: Slope?) -> Double? {
    func logarithm(_ entry: (key: Int, value: Try)) -> Double { log(Double(max(entry.value.bytes, 1))) }
    let below = known.filter { Double($0.key) <= native }.max { $0.key < $1.key }
    let above = known.filter { Double($0.key) >= native }.min { $0.key < $1.key }
    if let below, let above {
      guard above.key > below.key else { return Double(below.value.bytes) }
      let share = (native - Double(below.key)) / Double(above.key - below.key)
      return exp(logarithm(below) + share * (logarithm(above) - logarithm(below)))
    }
    guard let end = below ?? above else { return nil }
    guard let slope = slope(at: score) ?? likely else { return Double(end.value.bytes) }
    let rise = (native - Double(end.key)) * slope.bytes / slope.native
    return exp(logarithm(end) + min(rise, log(Self.mostRise)))
  }

  /// The place of a score; nil without a try, or with a single try and no slope.
  /// - Parameter likely: The slope of similar curves, for use if these tries have none.
  package func place(of score: Double, likely: Slope?) -> Place? {
    func isLower(_ a: (key: Int, value: Try), _ b: (key: Int, value: Try)) -> Bool {
      (a.value.score, a.key) < (b.value.score, b.key)
    }
    let below = known.filter { $0.value.score < score }.max(by: isLower)
    let above = known.filter { $0.value.score >= score }.min(by: isLower)
    if let below, let above, below.key < above.key {
      let share = (score - below.value.score) / (above.value.score - below.value.score)
      let step = log(Double(above.value.bytes) / Double(below.value.bytes))
      let isClose =
        above.key - below.key == 1
        || step * share * step * (1 - share) <= Bracket.Closeness.trusted.rawValue
      return Place(
        native: Double(below.key) + share * Double(above.key - below.key),
        bytes: Double(below.value.bytes) * exp(step * share),
        nearest: share < 0.5 ? below.value : above.value, isClose: isClose)
    }
    guard let (native, nearest) = below ?? above, let slope = slope(at: score) ?? likely else { return nil }
    let step = (score - nearest.score) * slope.bytes
    return Place(
      native: Double(native) + (score - nearest.score) * slope.native,
      bytes: Double(nearest.bytes) * exp(step), nearest: nearest, isClose: abs(step) <= Self.reach)
  }
}

extension CurveTries {
  /// A step of a search that ends with the score between two tries, never beyond one: slower than `CurveSearch`, for
  /// figures that are compared with each other.
  package func bracketing(
    _ score: Double, in range: ClosedRange<Int>, from start: Int, leastStep: Int
  ) -> CurveSearch.Step {
    // Another variant's curve may place the score beyond the scale.
    guard !known.isEmpty else { return .try(min(max(start, range.lowerBound), range.upperBound)) }
    let below = known.filter { $0.value.score < score }.max { $0.key < $1.key }
    let above = known.filter { $0.value.score >= score }.min { $0.key < $1.key }
    guard let below, let above else {
      guard let near = below ?? above else { return .outOfReach }
      let step = max(leastStep, Int(min(abs(near.value.score - score).rounded(.up), 25)))
      let next = min(max(near.key + (above == nil ? step : -step), range.lowerBound), range.upperBound)
      return next == near.key ? .outOfReach : .try(next)
    }
    guard let place = place(of: score, likely: nil) else { return .outOfReach }
    guard !place.isClose, above.key - below.key > 1 else { return .found(place) }
    let guess = Int(min(max(place.native.rounded(), Double(below.key + 1)), Double(above.key - 1)))
    guard self[guess] != nil else { return .try(guess) }
    return (below.key + 1..<above.key).first { self[$0] == nil }.map { .try($0) } ?? .outOfReach
  }
}

/// A search for the quality at which a variant reaches a score, starting where other files of the folder reached it.
package struct CurveSearch {
  /// The number of tries that follow the curve; then the search halves the remaining range.
  private static let mostGuesses = 4

  private let range: ClosedRange<Int>
  private let score: Double
  private let start: Int?
  private let likely: CurveTries.Slope?
  /// The number of tries before this search, made for another score: they bound it, but are too far away to start from.
  private let earlier: Int

  package init(
    range: ClosedRange<Int>, score: Double, start: Int? = nil, likely: CurveTries.Slope? = nil,
    earlier: Int = 0
  ) {
    (self.range, self.score, self.start) = (range, score, start)
    (self.likely, self.earlier) = (likely, earlier)
  }

  package enum Step {
    case `try`(Int)
    case found(CurveTries.Place)
    /// No quality reaches the score.
    case outOfReach
  }

  package func next(_ tries: CurveTries) -> Step {
    let place = tries.place(of: score, likely: likely)
    let isWithin = place.map { Double(range.lowerBound)...Double(range.upperBound) ~= $0.native } ?? false
    if let place, place.isClose, isWithin { return .found(place) }
    var search = QualitySearch(range: range, target: .atLeast(score), start: start)
    for (native, tried) in tries.known { search.enter(tried.score, at: native) }
    guard let next = search.next else {
      guard let answer = search.answer, let lowest = tries[answer] else { return .outOfReach }
      let end = CurveTries.Place(
        native: Double(answer), bytes: Double(lowest.bytes), nearest: lowest, isClose: true)
      return .found(isWithin ? place ?? end : end)
    }
    let own = tries.known.count - earlier
    let likeliest = own == 0 ? start.map(Double.init) : place?.native
    guard let likeliest, own < Self.mostGuesses, !tries.known.isEmpty else { return .try(next) }
    // The range that the search has left open.
    let miss = tries.known.filter { $0.value.score < score }.keys.max() ?? range.lowerBound - 1
    let hit = tries.known.filter { $0.value.score >= score }.keys.min() ?? range.upperBound + 1
    guard hit - miss > 1 else { return .try(next) }
    let guess = Int(min(max(likeliest, Double(miss + 1)), Double(hit - 1)).rounded())
    return .try(tries[guess] == nil ? guess : next)
  }
}
