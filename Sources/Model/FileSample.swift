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
