/// Which channels a pixel has, in the order in which they are stored.
package enum ChannelLayout: String, Sendable, Hashable, Codable, CaseIterable {
  case gray
  case grayAlpha = "gray+alpha"
  case rgb
  case rgba

  /// Samples per pixel, alpha included.
  package var channels: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  /// Whether the last channel is alpha. Alpha is always straight, never premultiplied.
  package var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

  /// Whether the layout carries one channel of luminance instead of three of colour.
  package var isGray: Bool { self == .gray || self == .grayAlpha }

  /// The same colour channels without alpha.
  package var withoutAlpha: ChannelLayout { isGray ? .gray : .rgb }
}

/// How one pixel is laid out in memory.
package struct PixelFormat: Sendable, Hashable, Codable {
  /// The channels and their order.
  package var layout: ChannelLayout
  /// Significant bits of each sample, 8 to 16. A sample runs from 0 to `maximum`.
  package var bitDepth: Int

  /// Makes a format; `bitDepth` is 8 to 16.
  package init(layout: ChannelLayout, bitDepth: Int = 8) {
    self.layout = layout
    self.bitDepth = bitDepth
  }

  /// The value of a full sample, 2^bitDepth − 1.
  package var maximum: Int { (1 << bitDepth) - 1 }

  /// Bytes that one sample takes: 1 up to 8 bits, else 2.
  package var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Bytes that one pixel takes in memory.
  package var bytesPerPixel: Int { layout.channels * bytesPerSample }
}
