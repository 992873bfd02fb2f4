package import Model

/// Searches a codec's quality scale in few encodes for the quality at which a score is just good enough, or a file just
/// small enough.
///
/// Scores and sizes are assumed to grow with quality. Even if they do not quite, the answer reaches the target and its
/// tried neighbour misses it. Between a miss and a hit, the next quality comes from linear interpolation, later from
/// bisection; outside them, from doubling steps.
package struct QualitySearch {
  package enum Target: Sendable, Hashable {
    /// The lowest quality whose value, a score, is at least this.
    case atLeast(Double)
    /// The highest quality whose value, a size, is at most this.
    case atMost(Double)
  }

  /// The number of tries before bisection takes over, for scores that are far from linear.
  private static let patience = 7
  /// Distance of the second try from the first. With the curves of SSIMULACRA2 over libjpeg's and x265's scales,
  /// searches for scores of 40 to 88 from the middle took 4.8 tries on average with 24, and 6 with 4.
  private static let firstStep = 24

  /// Native qualities per point of SSIMULACRA2 near 80, approximately, for x265 and libjpeg.
  private static let pace = 1.5

  private let range: ClosedRange<Int>
  private let start: Int?
  private let target: Target
  /// Values by position; higher positions reach the target.
  private var seen: [Int: Double] = [:]

  /// Searches a native range from its middle, so that the same search makes the same encodes, or from `start`, if their
  /// number matters more.
  package init(range: ClosedRange<Int>, target: Target, start: Int? = nil) {
    (self.range, self.target, self.start) = (range, target, start)
  }

  package var count: Int { seen.count }

  /// The next native quality to try; nil once the answer is known.
  package var next: Int? {
    guard !seen.isEmpty else { return start ?? (range.lowerBound + range.upperBound) / 2 }
    let (miss, hit) = (highestMiss, lowestHit)
    guard hit - miss > 1 else { return nil }
    return quality(at: min(max(guess(miss, hit), miss + 1), hit - 1))
  }

  /// The answer once `next` is nil; nil if no quality reaches the target.
  package var answer: Int? { range.contains(quality(at: lowestHit)) ? quality(at: lowestHit) : nil }

  package var extreme: Int { quality(at: range.upperBound) }

  /// Enters a quality's value. NaN misses every target.
  package mutating func enter(_ value: Double, at native: Int) {
    guard range.contains(native) else { return }
    // Sizes grow about exponentially with quality, so their logarithm interpolates better.
    let level = isSize ? -Self.logarithm(value) : value
    seen[quality(at: native)] = level.isNaN ? -.infinity : level
  }

  /// Enters values of qualities until the answer is known. Returns the quality without a value, which ends the search.
  package mutating func run<Problem: Error>(
    _ value: (Quality) throws(Problem) -> Double?
  ) throws(Problem) -> Quality? {
    while let native = next, let quality = Quality(native: native) {
      guard let value = try value(quality) else { return quality }
      enter(value, at: native)
    }
    return nil
  }

  private func guess(_ miss: Int, _ hit: Int) -> Int {
    switch (seen[miss], seen[hit]) {
    case (let low?, let high?):
      guard seen.count < Self.patience, high > low, low.isFinite, high.isFinite else {
        return miss + (hit - miss) / 2
      }
      return miss + Int(((level - low) / (high - low) * Double(hit - miss)).rounded())
    case (nil, _): return hit - step(from: hit)
    case (_, nil): return miss + step(from: miss)
    }
  }

  /// Doubles with every try on the same side. From a start that is thought to be close, the distance of the score sets
  /// the step, which grows with every try.
  private func step(from position: Int) -> Int {
    guard start != nil, !isSize, let value = seen[position], value.isFinite else {
      return Self.firstStep << min(seen.count - 1, 16)
    }
    return Int(min(100, max(1, Self.pace * abs(value - level) * Double(seen.count))).rounded())
  }

  private var lowestHit: Int {
    seen.filter { $0.value >= level }.keys.min() ?? range.upperBound + 1
  }

  private var highestMiss: Int {
    let hit = lowestHit
    return seen.filter { $0.value < level && $0.key < hit }.keys.max() ?? range.lowerBound - 1
  }

  private var isSize: Bool { if case .atMost = target { true } else { false } }

  private var level: Double {
    switch target {
    case .atLeast(let value): value
    case .atMost(let value): -Self.logarithm(value)
    }
  }

  /// Converts qualities to positions and back: sizes are searched from the other end.
  private func quality(at position: Int) -> Int {
    isSize ? range.lowerBound + range.upperBound - position : position
  }

  /// Any base will do: the exponent as the integer part and a straight line in between are enough.
  private static func logarithm(_ value: Double) -> Double {
    value > 0 ? Double(value.exponent) + value.significand - 1 : -.infinity
  }
}
