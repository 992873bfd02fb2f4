import CodecKit
import Pixels

enum ThumbnailChoice {
  /// The order in which to try thumbnails by longest side: the smallest that is large enough, then larger ones, then
  /// smaller ones from the largest down.
  static func order(_ sides: [Int], atLeast side: Int) -> [Int] {
    let large = sides.indices.filter { sides[$0] >= side }.sorted { sides[$0] < sides[$1] }
    return large + sides.indices.filter { sides[$0] < side }.sorted { sides[$0] > sides[$1] }
  }

  /// Refuses a thumbnail whose aspect ratio differs from the picture's: some cameras add bars or forget to turn it.
  /// Allows 2 %, and one pixel for rounding.
  static func checkShape(_ image: RasterImage, width: Int, height: Int) throws(CodecError) {
    let expected = Double(image.width) * Double(height) / Double(width)
    guard abs(Double(image.height) - expected) <= max(0.02 * expected, 1) else {
      throw .unsupported("it shows \(image.width)×\(image.height) of a picture of \(width)×\(height)")
    }
  }
}
