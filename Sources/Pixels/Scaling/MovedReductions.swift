/// Reductions of an image to one size, moved by fractions of a new pixel, sharing its light and reduced rows.
package struct MovedReductions {
  private let image: RasterImage
  private let light: LinearLight
  private let encoder: LightEncoder
  private let filter: ReductionFilter
  private let width, height: Int

  /// Prepares to reduce an image to `width` × `height`, holding 16 bytes per pixel of the image.
  ///
  /// Throws `invalidArgument` for a size that is empty or larger than the image, and `profile` for an unusable profile.
  package init(
    _ image: RasterImage, width: Int, height: Int, by filter: ReductionFilter
  ) throws(PixelError) {
    guard (1...image.width).contains(width), (1...image.height).contains(height) else {
      throw .invalidArgument(
        "cannot reduce \(image.width) × \(image.height) pixels to \(width) × \(height): only smaller is possible"
      )
    }
    self.image = image
    light = try LinearLight(image).kept()
    encoder = try LightEncoder(like: image)
    (self.width, self.height, self.filter) = (width, height, filter)
  }

  /// The reductions moved by `x` new pixels to the right and by each of `ys` down, like `reduced(…, movedBy:)`.
  package func moved(x: Double, ys: [Double]) -> [RasterImage] {
    var window = RowWindow(
      light, filter.taps(from: image.width, to: width, offset: x), keepsAll: true)
    return ys.map { y in
      image.reduced(&window, filter.taps(from: image.height, to: height, offset: y), encoder, width: width)
    }
  }
}
