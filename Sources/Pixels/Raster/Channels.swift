package enum Channels {
  /// Every `count`-th sample, beginning at `index`.
  package static func channel<Sample: BitwiseCopyable>(
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

  package static func pairs<Sample: BitwiseCopyable>(_ first: [Sample], _ second: [Sample]) -> [Sample] {
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

extension RasterImage {
  /// Converts an image with three equal colour channels to gray, using the first and keeping alpha.
  package func collapsedToGray() -> RasterImage {
    let layout = format.layout
    guard !layout.isGray else { return self }
    return transformed(GrayCollapse(layout: layout), layout: layout.hasAlpha ? .grayAlpha : .gray)
  }
}

private struct GrayCollapse: SampleTransform {
  let layout: ChannelLayout

  func apply<Sample: BitwiseCopyable>(_ samples: [Sample]) -> [Sample] {
    let luma = Channels.channel(0, of: layout.channels, in: samples)
    return layout.hasAlpha ? Channels.pairs(luma, Channels.channel(3, of: 4, in: samples)) : luma
  }
}

extension RasterImage {
  /// The image at another bit depth, 8 to 16: round(v · newMaximum / oldMaximum), so that black stays black and white
  /// stays white. Samples above the old maximum become the new maximum.
  package func scaledDepth(to bitDepth: Int) -> RasterImage {
    guard bitDepth != format.bitDepth, (8...16).contains(bitDepth) else { return self }
    let format = PixelFormat(layout: format.layout, bitDepth: bitDepth)
    let scale = DepthScale(from: self.format.maximum, to: format.maximum)
    let scaled: Samples =
      switch (samples, bitDepth > 8) {
      case (.bytes(let bytes), _): .words(scale.scaled(bytes))
      case (.words(let words), true): .words(scale.scaled(words))
      case (.words(let words), false): .bytes(scale.scaled(words))
      }
    return RasterImage(unchecked: self, width: width, height: height, format: format, samples: scaled)
  }
}

/// Divides once per possible value rather than once per sample.
private struct DepthScale {
  let from, to: Int

  func scaled<Old: FixedWidthInteger, New: FixedWidthInteger>(_ samples: [Old]) -> [New] {
    let table = (0...from).map { New(truncatingIfNeeded: ($0 * to + from / 2) / from) }
    return samples.map { table[min(Int($0), from)] }
  }
}
