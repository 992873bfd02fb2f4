import CodecKit
import Codecs
import Model
import Pixels
import Testing

extension CodecRegistry {
  /// One encode with a variant as `--codec` spells it, at a native quality.
  func encode(_ image: RasterImage, _ spelling: String, native quality: Int) throws -> [UInt8] {
    let variant = try variant(spelling)
    guard let codec = codec(variant.codec) else { throw CodecError.unsupported(variant.codec) }
    let settings = EncodeSettings(
      variant: variant, quality: try #require(Quality(native: quality)), traits: codec.traits)
    return try codec.encode(image, settings)
  }
}
