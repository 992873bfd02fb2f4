/// A simple random sample without replacement: every set of files of its size is as likely as any other.
package enum FileSample {
  /// Positions of `size` out of `count` files, ascending; all of them where there are no more.
  ///
  /// The sample is the beginning of one shuffle (Fisher and Yates) that belongs to `seed` and `count`, so that a larger
  /// sample holds the smaller ones.
  package static func positions(_ size: Int, of count: Int, seed: UInt64) -> [Int] {
    guard size < count else { return Array(0..<max(count, 0)) }
    var generator = SeededGenerator(seed: seed)
    var order = Array(0..<count)
    for place in 0..<max(size, 0) {
      order.swapAt(place, place + min(Int(generator.unit() * Double(count - place)), count - place - 1))
    }
    return order.prefix(max(size, 0)).sorted()
  }
}

extension FileSample {
  /// How many files of each kind a sample of `size` takes: two of every kind, so that it has a spread, or the only one, and
  /// the others by the kinds' bytes (Webster's method, in which no kind loses files as the sample grows). Kinds are to be
  /// few enough that two of each fit.
  package static func allocation(_ size: Int, counts: [Int], bytes: [Double]) -> [Int] {
    var taken = counts.map { min($0, 2) }
    var left = min(size, counts.reduce(0, +)) - taken.reduce(0, +)
    while left > 0 {
      let open = counts.indices.filter { taken[$0] < counts[$0] }
      let claim = { (kind: Int) in bytes[kind] / Double(2 * taken[kind] + 1) }
      guard let next = open.max(by: { claim($0) < claim($1) }) else { break }
      taken[next] += 1
      left -= 1
    }
    return taken
  }
}
