/// A sample transformation generic over 8 and 16 bits; `RasterImage.transformed` picks the sample type.
protocol SampleTransform {
  /// The new samples, in the layout and size that the caller states.
  func apply<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(_ samples: [Sample]) -> [Sample]
}

extension RasterImage {
  /// The image with transformed samples of the same depth; the transform must return `width × height × channels`.
  func transformed(
    _ transform: some SampleTransform, width: Int? = nil, height: Int? = nil, layout: ChannelLayout? = nil
  ) -> RasterImage {
    let samples: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(transform.apply(bytes))
      case .words(let words): .words(transform.apply(words))
      }
    return RasterImage(
      unchecked: self, width: width ?? self.width, height: height ?? self.height,
      format: PixelFormat(layout: layout ?? format.layout, bitDepth: format.bitDepth), samples: samples)
  }
}
