import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

/// Whether libheif is the version of Debian 12, which differs from later ones.
let isLibheif115 = CodecRegistry.standard.hasLibheif115

/// Settings of a codec at a native quality.
func settings(
  of codec: some ImageCodec, native quality: Int, _ settings: [String: String] = [:]
) throws -> EncodeSettings {
  EncodeSettings(
    variant: CodecVariant(codec: codec.traits.id, settings: settings),
    quality: try #require(Quality(native: quality)), traits: codec.traits)
}

/// The result of encoding and decoding.
func roundTrip(
  _ image: RasterImage, through codec: some ImageCodec, native quality: Int,
  _ values: [String: String] = [:]
) throws -> RasterImage {
  try codec.decode(codec.encode(image, settings(of: codec, native: quality, values)))
}

/// The mean of the absolute differences of all samples, as a fraction of the full range.
func meanDifference(_ a: RasterImage, _ b: RasterImage) -> Double {
  func levels(_ image: RasterImage) -> [Double] {
    let maximum = Double(image.format.maximum)
    return switch image.samples {
    case .bytes(let bytes): bytes.map { Double($0) / maximum }
    case .words(let words): words.map { Double($0) / maximum }
    }
  }
  let differences = zip(levels(a), levels(b)).map { abs($0 - $1) }
  return differences.reduce(0, +) / Double(max(differences.count, 1))
}
