import CodecKit
import Codecs
import Model

/// Codecs of HDR runs: those with samples of at least 10 bits, as fewer show bands.
enum HDRCodecs {
  static let leastDepth = 10

  /// AVIF and HEIC, which most devices show, with the fewest bits that suffice.
  static var usual: [CodecVariant] { ["avif", "heic"].map { CodecVariant(codec: $0) }.compactMap(deepened) }

  /// A variant with the fewest bits that suffice, or else a gain map; nil if its codec has no such setting.
  static func deepened(_ variant: CodecVariant) -> CodecVariant? {
    let settings = CodecRegistry.standard.codec(variant.codec)?.traits.settings
    func choices(_ key: String) -> [String] {
      guard case .choice(let words)? = settings?.first(where: { $0.key == key })?.values else { return [] }
      return words
    }
    var deep = variant.settings
    if let depth = choices("depth").first(where: { (Int($0) ?? 0) >= leastDepth }) {
      deep["depth"] = depth
    } else if choices("gainmap").contains("1/2") {
      deep["gainmap"] = "1/2"
    } else {
      return nil
    }
    return CodecVariant(codec: variant.codec, build: variant.build, settings: deep)
  }
}
