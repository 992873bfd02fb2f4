import CWebPShim
package import CodecKit
package import Model
import Pixels

package struct WebPReader: ImageReader {
  package let formats = ["WebP"]

  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool {
    let reader = ByteReader(bytes)
    return reader.has("RIFF".utf8, at: 0) && reader.has("WEBP".utf8, at: 8)
  }

  /// The image data may come after a profile of any length.
  package var mayEndWithHeader: Bool { true }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let container = try Self.container(bytes)
    return ImageHeader(
      format: "webp", width: container.width, height: container.height, bitDepth: 8,
      layout: container.hasAlpha ? .rgba : .rgb, isLossy: !container.isLossless,
      hdr: SourceColour.hdr(icc: container.icc))
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let container = try Self.container(bytes)
    try PixelLimit.check(width: container.width, height: container.height, limits)
    let image = try WebPDecoding.raster(of: bytes, limits: limits)
    guard image.width == container.width, image.height == container.height else {
      throw .malformed("WebP with headers that disagree")
    }
    let (profile, note) = try SourceColour.profile(icc: container.icc, for: image.format.layout, limits)
    return SourceImage(
      image: image.tagged(profile), orientation: container.orientation, notes: note.map { [$0] } ?? [])
  }

  private static func container(_ bytes: [UInt8]) throws(CodecError) -> WebPContainer {
    let container = try WebPContainer(bytes)
    guard !container.isAnimated else { throw .unsupported("animated WebP") }
    return container
  }
}

enum WebPDecoding {
  /// The pixels of a still image, RGB or RGBA, tagged as sRGB.
  static func raster(of bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> RasterImage {
    try OpenedLibrary.webP.need()
    var (width, height): (Int32, Int32) = (0, 0)
    var (hasAlpha, isAnimated, detail): (Int32, Int32, Int32) = (0, 0, 0)
    guard
      hb_webp_read_header(bytes, bytes.count, &width, &height, &hasAlpha, &isAnimated, &detail) == HB_WEBP_OK
    else { throw .malformed("broken WebP: libwebp's status \(detail)") }
    guard isAnimated == 0 else { throw .unsupported("animated WebP") }
    try PixelLimit.check(width: Int(width), height: Int(height), limits)
    let channels = hasAlpha == 0 ? 3 : 4
    let size = Int(width) * Int(height) * channels
    var status = HB_WEBP_OK
    let samples = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      status = hb_webp_decode(bytes, bytes.count, width, Int32(channels), buffer.baseAddress, size)
      count = status == HB_WEBP_OK ? size : 0
    }
    guard status == HB_WEBP_OK else { throw .malformed("broken or truncated WebP") }
    return try RasterImage.Samples.bytes(samples).image(
      by: "libwebp", width: Int(width), height: Int(height),
      format: PixelFormat(layout: channels == 4 ? .rgba : .rgb))
  }
}
