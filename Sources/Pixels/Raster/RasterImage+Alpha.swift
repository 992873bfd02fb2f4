extension RasterImage {
  /// True if no pixel is even slightly transparent. Images without alpha are opaque.
  package var isOpaque: Bool {
    guard format.layout.hasAlpha else { return true }
    let channels = format.layout.channels
    func isFull<Sample: FixedWidthInteger>(_ samples: [Sample], _ maximum: Sample) -> Bool {
      stride(from: channels - 1, to: samples.count, by: channels).allSatisfy { samples[$0] >= maximum }
    }
    return switch samples {
    case .bytes(let bytes): isFull(bytes, .max)
    case .words(let words): isFull(words, UInt16(format.maximum))
    }
  }

  package func droppingAlpha() -> RasterImage {
    guard format.layout.hasAlpha else { return self }
    return transformed(AlphaRemoval(channels: format.layout.channels), layout: format.layout.withoutAlpha)
  }

  /// The image with full alpha if it has none.
  package func withAlpha() -> RasterImage {
    let layout = format.layout
    guard !layout.hasAlpha else { return self }
    return transformed(
      AlphaAddition(channels: layout.channels, maximum: format.maximum),
      layout: layout.isGray ? .grayAlpha : .rgba)
  }

  /// The image over a colour, blended in encoded values as in browsers: round((c·α + background·(max − α)) / max).
  /// - Parameter background: Red, green and blue from 0 to 255, in the image's own colour space. A gray image uses the
  ///   luma (ITU-R BT.601) and stays gray.
  package func flattened(on background: [UInt8]) -> RasterImage {
    guard format.layout.hasAlpha, background.count == 3 else { return droppingAlpha() }
    let maximum = UInt32(format.maximum)
    var colour = background.map { (UInt32($0) * maximum + 127) / 255 }
    if format.layout.isGray {
      colour = [(299 * colour[0] + 587 * colour[1] + 114 * colour[2] + 500) / 1000]
    }
    return transformed(
      Flattening(background: colour, maximum: maximum), layout: format.layout.withoutAlpha)
  }

  /// The image with colours divided by alpha: round(c · max / α), at most max; black if α is 0.
  package func unpremultiplied() -> RasterImage {
    guard format.layout.hasAlpha else { return self }
    return transformed(Unpremultiplication(channels: format.layout.channels, maximum: format.maximum))
  }
}

private struct AlphaRemoval: SampleTransform {
  let channels: Int

  func apply<Sample: FixedWidthInteger>(_ samples: [Sample]) -> [Sample] {
    let kept = channels - 1
    var colours = [Sample](repeating: 0, count: samples.count / channels * kept)
    var (from, to) = (0, 0)
    while to < colours.count {
      for channel in 0..<kept { colours[to + channel] = samples[from + channel] }
      from += channels
      to += kept
    }
    return colours
  }
}

private struct AlphaAddition: SampleTransform {
  let channels, maximum: Int

  func apply<Sample: FixedWidthInteger>(_ samples: [Sample]) -> [Sample] {
    let full = Sample(truncatingIfNeeded: maximum)
    var result = [Sample](repeating: full, count: samples.count / channels * (channels + 1))
    var (from, to) = (0, 0)
    while to < result.count {
      for channel in 0..<channels { result[to + channel] = samples[from + channel] }
      from += channels
      to += channels + 1
    }
    return result
  }
}

private struct Flattening: SampleTransform {
  let background: [UInt32]
  let maximum: UInt32

  /// Sums stay below 2³² for up to 16 bits.
  func apply<Sample: FixedWidthInteger & UnsignedInteger>(_ samples: [Sample]) -> [Sample] {
    let kept = background.count
    var colours = [Sample](repeating: 0, count: samples.count / (kept + 1) * kept)
    var (from, to) = (0, 0)
    while to < colours.count {
      let alpha = min(UInt32(samples[from + kept]), maximum)
      for channel in 0..<kept {
        let colour = min(UInt32(samples[from + channel]), maximum)
        let sum = colour * alpha + background[channel] * (maximum - alpha)
        // Skips opaque pixels: most pixels are opaque, and a division costs more than the rest.
        colours[to + channel] = Sample(
          truncatingIfNeeded: alpha == maximum ? colour : (sum + maximum / 2) / maximum)
      }
      from += kept + 1
      to += kept
    }
    return colours
  }
}

private struct Unpremultiplication: SampleTransform {
  let channels: Int
  let maximum: Int

  func apply<Sample: FixedWidthInteger & UnsignedInteger>(_ samples: [Sample]) -> [Sample] {
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
