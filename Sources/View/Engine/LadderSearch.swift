import Analysis
import Model

/// Chooses the qualities of a ladder whose scores are close enough for a threshold between them.
struct LadderSearch {
  /// The most points of SSIMULACRA2 between neighbours, if the quality scale is fine enough.
  private static let gap = 3.0
  /// The scores that a threshold can have. One file below them is kept, for trials that anyone paying attention gets
  /// right.
  private static let scores = 30.0...96
  private static let most = 48

  private let range: ClosedRange<Int>
  private var made: [Int: MadeRung] = [:]

  init(range: ClosedRange<Int>) { self.range = range }

  /// The next quality to make; nil once the ladder is close enough.
  var next: Quality? {
    let span = range.upperBound - range.lowerBound
    let first = [5, 30, 55, 75, 90, 97].map { range.lowerBound + $0 * span / 100 }
    if let native = first.first(where: { made[$0] == nil }) { return Quality(native: native) }
    guard made.count < Self.most else { return nil }
    let sorted = made.keys.sorted()
    let wide = zip(sorted, sorted.dropFirst()).first { low, high in
      guard let from = made[low]?.rung.score, let to = made[high]?.rung.score else { return false }
      return high - low > 1 && to - from > Self.gap && to > Self.scores.lowerBound
        && from < Self.scores.upperBound
    }
    return wide.flatMap { Quality(native: ($0 + $1) / 2) }
  }

  mutating func enter(_ rung: MadeRung, at quality: Quality) {
    made[quality.nativeValue(in: range)] = rung
  }

  /// Makes files until the ladder is close enough, and returns it; nil once `make` gives no file, since a ladder with
  /// gaps must not pass for a whole one.
  mutating func run(
    _ make: (Quality) throws(Failure) -> MadeRung?
  ) throws(Failure) -> [MadeRung]? {
    while let quality = next {
      guard let rung = try make(quality) else { return nil }
      enter(rung, at: quality)
    }
    return try rungs
  }

  /// The files by ascending score, the first one below the range of thresholds if there is one. Throws if there are
  /// none, because even the coarsest file of the part looks perfect.
  var rungs: [MadeRung] {
    get throws(Failure) {
      let sorted = made.values.sorted { $0.rung.score < $1.rung.score }.filter {
        $0.rung.score <= Self.scores.upperBound + 2
      }
      guard !sorted.isEmpty else {
        throw Failure(
          kind: .metric,
          message: "this part looks like the original at every quality; choose a part with more detail")
      }
      let coarse = sorted.lastIndex { $0.rung.score < Self.scores.lowerBound } ?? 0
      return Array(sorted.dropFirst(coarse))
    }
  }
}
