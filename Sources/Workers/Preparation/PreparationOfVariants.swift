package import CodecKit
package import Model

extension Preparation {
  /// The preparation whose rasters all codecs carry unchanged: alpha only if all keep it, and no more bits than the
  /// least of them takes.
  package init(
    for supports: [PixelSupport], background: [UInt8] = [255, 255, 255], downscale: Int = 1
  ) {
    let depth = supports.map(\.maximumBitDepth).min() ?? 8
    self.init(
      keepsAlpha: !supports.isEmpty && supports.allSatisfy(\.alpha), maximumBitDepth: min(max(depth, 8), 16),
      background: background, downscale: downscale)
  }

  package init(
    for variants: [CodecVariant], registry: CodecRegistry, background: [UInt8] = [255, 255, 255],
    downscale: Int = 1
  ) {
    self.init(
      for: variants.compactMap { registry.codec($0.codec)?.support(for: $0) }, background: background,
      downscale: downscale)
  }

  var backgroundSpelling: String {
    "#" + background.map(\.hexadecimal).joined()
  }
}
