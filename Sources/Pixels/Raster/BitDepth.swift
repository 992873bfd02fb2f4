extension RasterImage {
  /// The image at another bit depth, 8 to 16: round(v · newMaximum / oldMaximum), so that black stays black and white
  /// white. Samples above the old maximum become the new one.
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

/// Divides once for each possible value rather than for each sample.
private struct DepthScale {
  let from, to: Int

  func scaled<Old: FixedWidthInteger, New: FixedWidthInteger>(_ samples: [Old]) -> [New] {
    let table = (0...from).map { New(truncatingIfNeeded: ($0 * to + from / 2) / from) }
    return samples.map { table[min(Int($0), from)] }
  }
}
