import BenchModel

/// What preparation does with straight alpha, the last channel of a pixel.
enum AlphaChannel {
  /// Whether no pixel is transparent in the least.
  static func isOpaque(_ image: RasterImage) -> Bool {
    let channels = image.format.layout.channels
    return switch image.samples {
    case .bytes(let bytes): isOpaque(bytes, channels, maximum: UInt8.max)
    case .words(let words): isOpaque(words, channels, maximum: UInt16(image.format.maximum))
    }
  }

  /// The colour channels alone; nil when samples and size disagree.
  static func dropped(from image: RasterImage) -> RasterImage? {
    let channels = image.format.layout.channels
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(dropped(bytes, channels))
      case .words(let words): .words(dropped(words, channels))
      }
    return withoutAlpha(image, samples: samples)
  }

  /// The image laid over a colour, in encoded values as browsers and viewers do it; nil when samples and size
  /// disagree.
  /// - Parameter background: red, green and blue from 0 to 255, taken to be in the image's own colour space.
  ///   Of a gray image's background only the luma counts (ITU-R BT.601), so that gray stays gray.
  static func flattened(_ image: RasterImage, on background: [UInt8]) -> RasterImage? {
    guard background.count == 3 else { return nil }
    let maximum = UInt32(image.format.maximum)
    var colour = background.map { (UInt32($0) * maximum + 127) / 255 }
    if image.format.layout.isGray {
      colour = [(299 * colour[0] + 587 * colour[1] + 114 * colour[2] + 500) / 1000]
    }
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(flattened(bytes, colour, maximum))
      case .words(let words): .words(flattened(words, colour, maximum))
      }
    return withoutAlpha(image, samples: samples)
  }

  private static func withoutAlpha(_ image: RasterImage, samples: RasterImage.Samples) -> RasterImage? {
    let format = PixelFormat(layout: image.format.layout.withoutAlpha, bitDepth: image.format.bitDepth)
    return RasterImage(
      width: image.width, height: image.height, format: format, profile: image.profile, samples: samples)
  }

  private static func isOpaque<Sample: FixedWidthInteger>(
    _ samples: [Sample], _ channels: Int, maximum: Sample
  ) -> Bool {
    for index in stride(from: channels - 1, to: samples.count, by: channels) where samples[index] < maximum {
      return false
    }
    return true
  }

  private static func dropped<Sample: FixedWidthInteger>(_ samples: [Sample], _ channels: Int) -> [Sample] {
    let kept = channels - 1
    var colours = [Sample](repeating: 0, count: samples.count / channels * kept)
    var from = 0
    var to = 0
    while to < colours.count {
      for channel in 0..<kept { colours[to + channel] = samples[from + channel] }
      from += channels
      to += kept
    }
    return colours
  }

  /// round((c·α + background·(max − α)) / max) for each channel; the sum stays below 2³² up to 16 bits.
  private static func flattened<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: [Sample], _ background: [UInt32], _ maximum: UInt32
  ) -> [Sample] {
    let kept = background.count
    var colours = [Sample](repeating: 0, count: samples.count / (kept + 1) * kept)
    var from = 0
    var to = 0
    while to < colours.count {
      let alpha = min(UInt32(samples[from + kept]), maximum)
      for channel in 0..<kept {
        let colour = min(UInt32(samples[from + channel]), maximum)
        let sum = colour * alpha + background[channel] * (maximum - alpha)
        // Most pixels are opaque, and a division costs more than the rest.
        colours[to + channel] = Sample(
          truncatingIfNeeded: alpha == maximum ? colour : (sum + maximum / 2) / maximum)
      }
      from += kept + 1
      to += kept
    }
    return colours
  }
}
