/// Bounds that no true value approaches, and that keep sums of a million values finite. Answers of workers and rows of
/// stores are refused beyond them.
package enum Bound {
  /// About 116 days, nanoseconds.
  package static let time: ClosedRange<Int64> = 0...10_000_000_000_000_000
  /// One pebibyte.
  package static let bytes = 1...(1 << 50)
  package static let side = 1...Int(Int32.max)
  package static let depth = 1...32
}
