import CodecKit
import Pixels

/// Which of several thumbnails is the right one.
enum ThumbnailChoice {
  /// The order in which to try thumbnails with these longest sides: the smallest that is large enough, then
  /// larger ones, then smaller ones from the largest down.
  static func order(_ sides: [Int], atLeast side: Int) -> [Int] {
    let large = sides.indices.filter { sides[$0] >= side }.sorted { sides[$0] < sides[$1] }
    return large + sides.indices.filter { sides[$0] < side }.sorted { sides[$0] > sides[$1] }
  }

  /// Refuses a thumbnail whose sides are in another proportion than the picture's: cameras put bars around the
  /// picture, and some forget to turn it. 2 % are allowed, and one pixel for rounding.
  static func checkShape(_ image: RasterImage, width: Int, height: Int) throws(CodecError) {
    let expected = Double(image.width) * Double(height) / Double(width)
    guard abs(Double(image.height) - expected) <= max(0.02 * expected, 1) else {
      throw .unsupported("it shows \(image.width)×\(image.height) of a picture of \(width)×\(height)")
    }
  }
}
