/// Channels of a pixel, in stored order.
public enum ChannelLayout: String, Sendable, Hashable, Codable, CaseIterable {
  case gray
  case grayAlpha = "gray+alpha"
  case rgb
  case rgba

  /// Samples per pixel, including alpha.
  public var channels: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  /// True if the last channel is alpha. Alpha is always straight, never premultiplied.
  public var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

  /// True if there are no colours.
  public var isGray: Bool { self == .gray || self == .grayAlpha }

  var withoutAlpha: ChannelLayout { isGray ? .gray : .rgb }
}

/// Channels and depth of a picture's samples.
public struct PixelFormat: Sendable, Hashable, Codable {
  /// The channels.
  public var layout: ChannelLayout
  /// Significant bits of each sample, 8 to 16. A sample runs from 0 to `maximum`.
  public var bitDepth: Int

  /// Creates a format, with 8 bits per sample by default.
  public init(layout: ChannelLayout, bitDepth: Int = 8) {
    self.layout = layout
    self.bitDepth = bitDepth
  }

  /// The value of a full sample, 2^bitDepth − 1.
  public var maximum: Int { (1 << bitDepth) - 1 }

  /// 1 for up to 8 bits, else 2.
  var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Bytes of a pixel in memory; samples of more than 8 bits take two bytes each.
  public var bytesPerPixel: Int { layout.channels * bytesPerSample }
}

/// The colour meaning of sample values.
///
/// Readers convert every other description (gAMA and cHRM chunks, CICP code points) to an ICC profile, which encoders
/// can embed and metrics can pass to a colour management system.
public enum ColorProfile: Sendable, Hashable {
  /// IEC 61966-2-1 sRGB, also assumed for images without a description.
  case sRGB
  /// An ICC profile (ICC.1) for gray or RGB data, matching the image's layout.
  case icc([UInt8])
  /// Absolute light, only in an HDR run. Encoders write its code points.
  case light(HDRLight)

  /// True if an encoder must embed the profile to preserve the colours.
  public var needsEmbedding: Bool { self != .sRGB }

  /// The ICC bytes, or nil for plain sRGB.
  public var iccBytes: [UInt8]? {
    if case .icc(let bytes) = self { bytes } else { nil }
  }
}

/// An unusable colour profile, or an argument out of its range.
package struct PixelError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
