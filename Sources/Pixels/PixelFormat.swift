/// Which channels a pixel has, in the order in which they are stored.
public enum ChannelLayout: String, Sendable, Hashable, Codable, CaseIterable {
  case gray
  case grayAlpha = "gray+alpha"
  case rgb
  case rgba

  /// Samples per pixel, alpha included.
  public var channels: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  /// Whether the last channel is alpha. Alpha is always straight, never premultiplied.
  public var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

  /// Whether the layout carries one channel of luminance instead of three of colour.
  public var isGray: Bool { self == .gray || self == .grayAlpha }

  /// The same colour channels without alpha.
  public var withoutAlpha: ChannelLayout { isGray ? .gray : .rgb }
}

/// How one pixel is laid out in memory.
public struct PixelFormat: Sendable, Hashable, Codable {
  /// The channels and their order.
  public var layout: ChannelLayout
  /// Significant bits of each sample, 8 to 16. A sample runs from 0 to `maximum`.
  public var bitDepth: Int

  /// Makes a format; `bitDepth` is 8 to 16.
  public init(layout: ChannelLayout, bitDepth: Int = 8) {
    self.layout = layout
    self.bitDepth = bitDepth
  }

  /// The value of a full sample, 2^bitDepth − 1.
  public var maximum: Int { (1 << bitDepth) - 1 }

  /// Bytes that one sample takes: 1 up to 8 bits, else 2.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Bytes that one pixel takes in memory.
  public var bytesPerPixel: Int { layout.channels * bytesPerSample }
}
