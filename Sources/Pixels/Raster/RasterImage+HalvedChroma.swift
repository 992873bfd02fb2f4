extension RasterImage {
  /// The image after halving its chroma in both directions and enlarging it again, without coding: the loss of 4:2:0
  /// alone.
  ///
  /// Y′CbCr is ITU-R BT.601 full range, as in JFIF. Each Cb and Cr is the mean over 2 × 2 pixels, rounded as in a file,
  /// and applies to all four. Gray stays unchanged.
  package var withHalvedChroma: RasterImage {
    guard !format.layout.isGray else { return self }
    return transformed(
      ChromaHalving(width: width, channels: format.layout.channels, maximum: Float(format.maximum)))
  }
}

private struct ChromaHalving: SampleTransform {
  let width, channels: Int
  let maximum: Float

  func apply<Sample: FixedWidthInteger & UnsignedInteger>(_ samples: [Sample]) -> [Sample] {
    var result = samples
    let height = samples.count / (width * channels)
    for y in stride(from: 0, to: height, by: 2) {
      let pixels = (y * width)..<(min(y + 2, height) * width)
      var (blue, red) = (
        [Float](repeating: 0, count: (width + 1) / 2), [Float](repeating: 0, count: (width + 1) / 2)
      )
      for pixel in pixels {
        let (cell, luma) = (pixel % width / 2, luma(samples, pixel))
        blue[cell] += (Float(samples[pixel * channels + 2]) - luma) / 1.772
        red[cell] += (Float(samples[pixel * channels]) - luma) / 1.402
      }
      for pixel in pixels {
        let (cell, luma) = (pixel % width / 2, luma(samples, pixel).rounded())
        let count = Float(pixels.count / width * min(2, width - 2 * cell))
        let (cb, cr) = ((blue[cell] / count).rounded(), (red[cell] / count).rounded())
        result[pixel * channels] = sample(luma + 1.402 * cr)
        result[pixel * channels + 1] = sample(luma - 0.344136 * cb - 0.714136 * cr)
        result[pixel * channels + 2] = sample(luma + 1.772 * cb)
      }
    }
    return result
  }

  private func luma<Sample: FixedWidthInteger>(_ samples: [Sample], _ pixel: Int) -> Float {
    let red = pixel * channels
    return 0.299 * Float(samples[red]) + 0.587 * Float(samples[red + 1]) + 0.114 * Float(samples[red + 2])
  }

  private func sample<Sample: FixedWidthInteger>(_ value: Float) -> Sample {
    Sample(min(max(value.rounded(), 0), maximum))
  }
}
