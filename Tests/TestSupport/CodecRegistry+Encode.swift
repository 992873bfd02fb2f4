package import CodecKit
import Model
package import Pixels

extension CodecRegistry {
  /// Encodes with a variant as `--codec` spells it, at a native quality.
  package func encode(_ image: RasterImage, _ spelling: String, native: Int) throws -> [UInt8] {
    let variant = try variant(spelling)
    guard let codec = codec(variant.codec), let quality = Quality(native: native) else {
      throw CodecError.unsupported("\(spelling) at \(native)")
    }
    return try codec.encode(image, EncodeSettings(variant: variant, quality: quality, traits: codec.traits))
  }

  /// Whether libheif is the version of Debian 12, which differs from later ones.
  package var hasLibheif115: Bool {
    codec("heic")?.traits.libraries.first?.version.hasPrefix("1.15.") == true
  }
}
