import CodecKit
import Codecs
import Model

/// Codecs for HDR runs: those with samples of at least 10 bits, since fewer show banding.
enum HDRCodecs {
  static let leastDepth = 10

  /// AVIF and HEIC, which most devices show, with the smallest sufficient number of bits.
  static var usual: [CodecVariant] { ["avif", "heic"].map { CodecVariant(codec: $0) }.compactMap(forHDR) }

  /// A variant that does not set a depth, with 10 bits or the next depth of its codec; nil if it is lossless or the
  /// codec has only one depth.
  static func withMoreBits(_ variant: CodecVariant) -> CodecVariant? {
    // The choices of a build's codec are known only after the build has been tried.
    let depth =
      variant.build == nil
      ? choices("depth", of: variant).first { (Int($0) ?? 0) >= leastDepth } : String(leastDepth)
    guard let depth, variant.settings["depth"] == nil, !variant.hasGainMap, !variant.losesNothing else {
      return nil
    }
    return variant.setting("depth", depth)
  }

  private static func choices(_ key: String, of variant: CodecVariant) -> [String] {
    let settings = CodecRegistry.standard.codec(variant.codec)?.traits.settings(beside: variant.settings)
    guard case .choice(let words)? = settings?.first(where: { $0.key == key })?.values else { return [] }
    return words
  }

  /// A variant with the smallest sufficient number of bits, or otherwise a gain map; nil if its codec has no such
  /// setting.
  static func forHDR(_ variant: CodecVariant) -> CodecVariant? {
    if let deep = withMoreBits(variant) { return deep }
    return choices("gainmap", of: variant).contains("1/2") ? variant.setting("gainmap", "1/2") : nil
  }
}
