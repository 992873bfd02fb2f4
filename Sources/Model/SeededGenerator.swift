/// SplitMix64 (Steele, Lea and Flood, 2014): a small generator whose sequence depends on its seed alone, on
/// every machine. Corpus, bootstrap, interleaving and tests use it, so that they can be repeated exactly.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence that belongs to `seed`.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits of the sequence.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, 1, with 53 random bits.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
