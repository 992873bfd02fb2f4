import CWebPShim
import CodecKit
import Model
import Pixels

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
    guard
      let image = RasterImage(
        width: Int(width), height: Int(height), layout: channels == 4 ? .rgba : .rgb, bytes: samples)
    else { throw .library(name: "libwebp", message: "unexpected number of samples") }
    return image
  }
}
