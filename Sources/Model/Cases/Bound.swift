/// Bounds far beyond any true value that keep sums of a million values finite. Answers of workers and rows of stores
/// beyond them are refused.
package enum Bound {
  /// Up to about 116 days, in nanoseconds.
  package static let time: ClosedRange<Int64> = 0...10_000_000_000_000_000
  /// Up to one pebibyte.
  package static let bytes = 1...(1 << 50)
  package static let side = 1...Int(Int32.max)
  package static let depth = 1...32
}
