/// Brings samples from one number of bits to another.
enum SampleDepth {
  /// The same levels on a finer scale: round(v · (2^to − 1) / (2^from − 1)), so that black stays black and
  /// white white. Samples above the old maximum become the new one.
  static func widened<Sample: FixedWidthInteger>(_ samples: [Sample], from: Int, to: Int) -> [UInt16] {
    if from == to, let words = samples as? [UInt16] { return words }
    let (oldMaximum, newMaximum) = ((1 << from) - 1, (1 << to) - 1)
    let table = (0...oldMaximum).map {
      UInt16(truncatingIfNeeded: ($0 * newMaximum + oldMaximum / 2) / oldMaximum)
    }
    return samples.map { table[min(Int($0), oldMaximum)] }
  }
}
