/// Splits columns into tiles of an even width, so that pairs of columns stay together. The last one takes
/// what is left.
func tiles(of width: Int, tileWidth: Int) -> [Range<Int>] {
  let step = max(2, tileWidth / 2 * 2)
  return stride(from: 0, to: width, by: step).map { $0..<min($0 + step, width) }
}
