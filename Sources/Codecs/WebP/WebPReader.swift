package import CodecKit
package import Model
import Pixels

/// Reads still WebP files, lossy and lossless.
package struct WebPReader: ImageReader {
  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool {
    let reader = ByteReader(bytes)
    return reader.has("RIFF".utf8, at: 0) && reader.has("WEBP".utf8, at: 8)
  }

  /// The image data come after a profile of any length.
  package var mayEndWithHeader: Bool { true }

  package func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let container = try Self.container(bytes)
    return ImageHeader(
      format: "webp", width: container.width, height: container.height, bitDepth: 8,
      layout: container.hasAlpha ? .rgba : .rgb, isLossy: !container.isLossless)
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let container = try Self.container(bytes)
    try PixelLimit.check(width: container.width, height: container.height, limits)
    let image = try WebPDecoding.raster(of: bytes, limits: limits)
    guard image.width == container.width, image.height == container.height else {
      throw .malformed("WebP with headers that disagree")
    }
    guard let icc = container.icc else {
      return SourceImage(image: image, orientation: container.orientation)
    }
    let (profile, note) = try SourceColour.profile(icc: icc, for: image.format.layout)
    return SourceImage(
      image: image.tagged(profile), orientation: container.orientation, notes: note.map { [$0] } ?? [])
  }

  private static func container(_ bytes: [UInt8]) throws(CodecError) -> WebPContainer {
    let container = try WebPContainer(bytes)
    guard !container.isAnimated else { throw .unsupported("animated WebP") }
    try SourceColour.check(icc: container.icc)
    return container
  }
}
