/// What a file will weigh, by the pieces that are encoded: their bits per pixel without what every file has around its
/// picture, times all pixels, and once what is around.
///
/// The interval is twice the standard error of a ratio estimate (Cochran, Sampling Techniques, 6.4) with the
/// correction for a finite number of pieces, and beside it what pieces weigh more or less than the same pixels in one
/// file, however many there are. The pieces on the screen are no random sample of the picture, so it is a guide and no
/// 95 % interval; the page says “about”.
package struct SizeEstimate: Sendable, Hashable {
  /// The size in bytes.
  package var bytes: Double
  /// How far off it may be on either side, bytes.
  package var margin: Double

  /// How far the sum of all pieces may be off the whole file (docs/view.md has what was measured).
  static let bias = 0.05

  /// Estimates from pieces, of a picture with so many pixels; nil from fewer than three, which give no margin.
  /// - Parameter overhead: bytes of a file that has next to no picture in it.
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
