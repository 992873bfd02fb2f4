import BenchModel

/// A small version of an image for the row of thumbnails: every so many pixels one, which is enough at that
/// size and costs nothing.
enum Thumbnail {
  /// Rows of a thumbnail, about.
  static let height = 112

  /// The image, a whole number of times smaller; nil never, as the sizes follow from the image's.
  static func of(_ image: RasterImage) -> RasterImage? {
    let factor = max(1, min(image.height / height, image.width))
    guard factor > 1 else { return image }
    let (width, height) = (image.width / factor, image.height / factor)
    func picked<Sample>(_ samples: [Sample]) -> [Sample] {
      let channels = image.format.layout.channels
      var result: [Sample] = []
      result.reserveCapacity(width * height * channels)
      for y in 0..<height {
        for x in 0..<width {
          let at = ((y * factor + factor / 2) * image.width + x * factor + factor / 2) * channels
          result += samples[at..<(at + channels)]
        }
      }
      return result
    }
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(picked(bytes))
      case .words(let words): .words(picked(words))
      }
    return RasterImage(
      width: width, height: height, format: image.format, profile: image.profile, samples: samples)
  }
}
