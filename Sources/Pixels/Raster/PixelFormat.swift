/// Channels of a pixel, in stored order.
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

  /// True if the last channel is alpha. Alpha is always straight, never premultiplied.
  package var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

  package var isGray: Bool { self == .gray || self == .grayAlpha }

  package var withoutAlpha: ChannelLayout { isGray ? .gray : .rgb }
}

package struct PixelFormat: Sendable, Hashable, Codable {
  package var layout: ChannelLayout
  /// Significant bits of each sample, 8 to 16. A sample runs from 0 to `maximum`.
  package var bitDepth: Int

  package init(layout: ChannelLayout, bitDepth: Int = 8) {
    self.layout = layout
    self.bitDepth = bitDepth
  }

  /// The value of a full sample, 2^bitDepth − 1.
  package var maximum: Int { (1 << bitDepth) - 1 }

  /// Returns 1 up to 8 bits, else 2.
  package var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  package var bytesPerPixel: Int { layout.channels * bytesPerSample }
}
