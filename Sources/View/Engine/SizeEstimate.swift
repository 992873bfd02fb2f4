/// What a file will weigh, by the pieces that are encoded: their bits per pixel, times all pixels.
///
/// The interval is twice the standard error of a ratio estimate (Cochran, Sampling Techniques, 6.4) with the
/// correction for a finite number of pieces. The pieces on the screen are no random sample of the picture, so it is a
/// guide and no 95 % interval; the page says “about”.
package struct SizeEstimate: Sendable, Hashable {
  /// The size in bytes.
  package var bytes: Double
  /// How far off it may be on either side, bytes; nil from fewer than three pieces.
  package var margin: Double?

  /// Estimates from pieces, of a picture with so many pixels; nil without pieces.
  package init?(pieces: [(pixels: Int, bytes: Int)], ofPixels total: Int) {
    let pixels = pieces.reduce(0) { $0 + $1.pixels }
    guard pixels > 0, total >= pixels else { return nil }
    let ratio = Double(pieces.reduce(0) { $0 + $1.bytes }) / Double(pixels)
    bytes = ratio * Double(total)
    guard pieces.count >= 3 else { return }
    let count = Double(pieces.count)
    let squares = pieces.reduce(0.0) { sum, piece in
      let residual = Double(piece.bytes) - ratio * Double(piece.pixels)
      return sum + residual * residual
    }
    let missing = 1 - Double(pixels) / Double(total)
    let mean = Double(pixels) / count
    margin = 2 * Double(total) / mean * (missing * squares / (count - 1) / count).squareRoot()
  }
}
