import BenchModel

/// Takes interleaved channels apart and puts them together.
enum Interleaving {
  /// Every `count`-th sample, beginning with number `index`.
  static func channel<Sample: BitwiseCopyable>(
    _ index: Int, of count: Int, in samples: [Sample]
  ) -> [Sample] {
    let pixels = samples.count / count
    return samples.withUnsafeBufferPointer { source in
      [Sample](unsafeUninitializedCapacity: pixels) { target, initialised in
        for pixel in 0..<pixels { target[pixel] = source[pixel * count + index] }
        initialised = pixels
      }
    }
  }

  /// Two planes of equal length as pairs.
  static func pairs<Sample: BitwiseCopyable>(_ first: [Sample], _ second: [Sample]) -> [Sample] {
    let pixels = min(first.count, second.count)
    return [Sample](unsafeUninitializedCapacity: pixels * 2) { target, initialised in
      for pixel in 0..<pixels {
        target[2 * pixel] = first[pixel]
        target[2 * pixel + 1] = second[pixel]
      }
      initialised = pixels * 2
    }
  }
}

extension Interleaving {
  /// An image whose three colour channels are equal as gray, alpha kept; nil where it is gray already.
  static func gray(_ image: RasterImage) -> RasterImage? {
    let layout = image.format.layout
    guard !layout.isGray else { return nil }
    func collapsed<Sample: BitwiseCopyable>(_ samples: [Sample]) -> [Sample] {
      let luma = channel(0, of: layout.channels, in: samples)
      return layout.hasAlpha ? pairs(luma, channel(3, of: 4, in: samples)) : luma
    }
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(collapsed(bytes))
      case .words(let words): .words(collapsed(words))
      }
    let format = PixelFormat(layout: layout.hasAlpha ? .grayAlpha : .gray, bitDepth: image.format.bitDepth)
    return RasterImage(
      width: image.width, height: image.height, format: format, profile: image.profile, samples: samples)
  }
}
