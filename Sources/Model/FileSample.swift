/// Simple random samples without replacement: all sets of files of one size are equally likely.
package enum FileSample {
  /// Positions of `size` of `count` files, ascending; all of them if there are no more.
  ///
  /// A sample is the start of one shuffle (Fisher and Yates) determined by `seed` and `count`, so a larger sample
  /// contains the smaller ones.
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
  /// Files of each kind in a sample of `size`: two of every kind (or its only one), so that each has a spread, and
  /// the rest in proportion to the kinds' bytes by Webster's method, in which no kind loses files as the sample
  /// grows. Two of each kind must fit.
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
