/// The expected size of a file, from its encoded pieces: their bits per pixel without a file's fixed overhead, times
/// all pixels, plus the overhead once.
///
/// The margin is twice the standard error of a ratio estimate (Cochran, Sampling Techniques, 6.4) corrected for a
/// finite number of pieces, plus `bias`. The pieces on the screen are not a random sample of the picture, so this is
/// only a guide and not a 95 % interval; the page says “about”.
package struct SizeEstimate: Sendable, Hashable {
  package var bytes: Double
  package var margin: Double

  /// Relative error of the sum of all pieces against the whole file, however many (measured in docs/lab/view.md).
  static let bias = 0.05

  /// Nil with fewer than three pieces, which give no margin.
  /// - Parameters:
  ///   - overhead: The bytes of a file with almost no picture in it.
  package init?(pieces: [(pixels: Int, bytes: Int)], ofPixels total: Int, overhead: Int) {
    let pixels = pieces.reduce(0) { $0 + $1.pixels }
    guard pieces.count >= 3, pixels > 0, total >= pixels else { return nil }
    let coded = pieces.map { Double(max(0, $0.bytes - overhead)) }
    let ratio = coded.reduce(0, +) / Double(pixels)
    bytes = Double(overhead) + ratio * Double(total)
    let count = Double(pieces.count)
    let squares = zip(coded, pieces).reduce(0.0) { sum, piece in
      let residual = piece.0 - ratio * Double(piece.1.pixels)
      return sum + residual * residual
    }
    let missing = 1 - Double(pixels) / Double(total)
    let mean = Double(pixels) / count
    let sampling = 2 * Double(total) / mean * (missing * squares / (count - 1) / count).squareRoot()
    margin = sampling + Self.bias * bytes
  }
}
