import Pixels

/// Expands samples of limited range, 16 to 235 at 8 bits, to the full range (H.273, 8.3).
///
/// libheif expands samples when it applies a matrix, but not gray, directly coded RGB, or alpha; libpng never does.
struct LimitedRange {
  private let table: [UInt16]

  init(bitDepth: Int) {
    let (maximum, step) = (Double((1 << bitDepth) - 1), Double(1 << (bitDepth - 8)))
    table = (0..<(1 << bitDepth)).map { sample in
      UInt16(min(max(((Double(sample) - 16 * step) * maximum / (219 * step)).rounded(), 0), maximum))
    }
  }

  /// Returns the expanded image if its colours, alpha or both had limited range.
  static func spread(_ image: RasterImage, colours: Bool, alpha: Bool) -> RasterImage {
    let layout = image.format.layout
    let hasAlpha = alpha && layout.hasAlpha
    guard colours || hasAlpha else { return image }
    let range = LimitedRange(bitDepth: image.format.bitDepth)
    let coloured = layout.channels - (layout.hasAlpha ? 1 : 0)
    let channels = (0..<layout.channels).map { $0 < coloured ? colours : hasAlpha }
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(range.spread(bytes, channels))
      case .words(let words): .words(range.spread(words, channels))
      }
    return RasterImage(
      width: image.width, height: image.height, format: image.format, profile: image.profile,
      samples: samples) ?? image
  }

  private func spread<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: [Sample], _ channels: [Bool]
  ) -> [Sample] {
    var (spread, channel) = (samples, 0)
    for index in spread.indices {
      if channels[channel] { spread[index] = Sample(table[min(Int(spread[index]), table.count - 1)]) }
      channel = channel + 1 == channels.count ? 0 : channel + 1
    }
    return spread
  }
}
