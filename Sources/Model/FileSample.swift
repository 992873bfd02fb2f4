/// Simple random samples without replacement: all sets of files of one size are equally likely.
package enum FileSample {
  /// Positions of `size` of `count` files, ascending; all of them if there are no more.
  ///
  /// A sample is the start of one shuffle (Fisher and Yates) determined by `seed` and `count`, so a larger sample
  /// contains the smaller ones.
  package static func positions(_ size: Int, of count: Int, seed: UInt64) -> [Int] {
    drawn(size, of: count, seed: seed).sorted()
  }

  /// The same positions in the order in which they were drawn: the first of them are a smaller sample.
  package static func drawn(_ size: Int, of count: Int, seed: UInt64) -> [Int] {
    let size = min(max(size, 0), max(count, 0))
    var generator = SeededGenerator(seed: seed)
    var order = Array(0..<max(count, 0))
    for place in 0..<size {
      order.swapAt(place, place + min(Int(generator.unit() * Double(count - place)), count - place - 1))
    }
    return Array(order.prefix(size))
  }
}

extension FileSample {
  /// Places of names in an order by chance that depends on the names alone: the first of them are a sample, which
  /// grows with the number taken and keeps most of its files when the folder changes. By FNV-1a (Fowler, Noll and Vo)
  /// of the name's UTF-8, mixed by the generator.
  package static func order(of names: [String]) -> [Int] {
    let ranks = names.map { name -> Double in
      let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      var generator = SeededGenerator(seed: hash)
      return generator.unit()
    }
    return names.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
  }

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
