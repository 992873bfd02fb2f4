/// An image reduced to one size again and again, moved by parts of a new pixel: what does not change from one to the next,
/// the image's light and for each move across its rows reduced in width, is found once.
package struct MovedReductions {
  private let image: RasterImage
  private let light: LinearLight
  private let encoder: LightEncoder
  private let filter: ReductionFilter
  private let width, height: Int

  /// Prepares to reduce an image to `width` × `height`, of which neither may be larger than the image's side.
  ///
  /// Throws `invalidArgument` for other sizes, and `profile` when the colour profile cannot be used. Takes 16 bytes a pixel
  /// of the image while it is there.
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

  /// The reductions moved by `x` new pixels to the right and by each of `ys` down, as `reduced(…, movedBy:)` makes them.
  package func moved(x: Double, ys: [Double]) -> [RasterImage] {
    var window = RowWindow(
      light, filter.taps(from: image.width, to: width, offset: x), keepsAll: true)
    return ys.map { y in
      image.reduced(&window, filter.taps(from: image.height, to: height, offset: y), encoder, width: width)
    }
  }
}
