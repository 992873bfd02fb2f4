import BenchModel

/// Undoes premultiplied alpha.
enum AlphaDivision {
  /// The same image with colours divided by alpha: round(c · max / a), at most max; black where alpha is 0.
  static func straight(_ image: RasterImage) -> RasterImage {
    guard image.format.layout.hasAlpha else { return image }
    let (channels, maximum) = (image.format.layout.channels, image.format.maximum)
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(divided(bytes, channels: channels, maximum: maximum))
      case .words(let words): .words(divided(words, channels: channels, maximum: maximum))
      }
    return RasterImage(
      width: image.width, height: image.height, format: image.format, profile: image.profile,
      samples: samples) ?? image
  }

  private static func divided<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: [Sample], channels: Int, maximum: Int
  ) -> [Sample] {
    var result = samples
    for pixel in stride(from: 0, to: samples.count - channels + 1, by: channels) {
      let alpha = Int(samples[pixel + channels - 1])
      for index in pixel..<(pixel + channels - 1) {
        let colour = alpha == 0 ? 0 : (Int(samples[index]) * maximum + alpha / 2) / alpha
        result[index] = Sample(truncatingIfNeeded: min(colour, maximum))
      }
    }
    return result
  }
}
