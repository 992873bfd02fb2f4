/// Splits columns into tiles of a multiple of four, so that pairs of columns and steps of four stay together.
/// The last one takes what is left.
func tiles(of width: Int, tileWidth: Int) -> [Range<Int>] {
  let step = max(16, tileWidth / 4 * 4)
  return stride(from: 0, to: width, by: step).map { $0..<min($0 + step, width) }
}
