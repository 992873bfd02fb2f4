import CodecKit
import Codecs
import Model

/// Codecs of HDR runs: those with samples of at least 10 bits, as fewer show bands.
enum HDRCodecs {
  static let leastDepth = 10

  /// AVIF and HEIC, which most devices show, with the fewest bits that suffice.
  static var usual: [CodecVariant] { ["avif", "heic"].map { CodecVariant(codec: $0) }.compactMap(deepened) }

  /// A variant with the fewest bits that suffice; nil if its codec has no such setting.
  static func deepened(_ variant: CodecVariant) -> CodecVariant? {
    let settings = CodecRegistry.standard.codec(variant.codec)?.traits.settings
    guard case .choice(let depths) = settings?.first(where: { $0.key == "depth" })?.values,
      let depth = depths.first(where: { Int($0).map { $0 >= leastDepth } ?? false })
    else { return nil }
    return CodecVariant(
      codec: variant.codec, build: variant.build,
      settings: variant.settings.merging(["depth": depth]) { $1 })
  }
}
