import CHEIFShim
import CJPEGShim
import CodecKit
import Model
import Pixels

/// The picture that heif-enc 1.15 encodes from a JPEG file: libjpeg's luma, and its upsampled chroma at every other
/// column of every other row, whatever the file's own chroma.
enum JPEGToHEIF {
  /// Returns the upright image, with the colours of `raster`, which is the same file decoded.
  static func image(of file: [UInt8], _ raster: RasterImage) throws(CodecError) -> HEIFImage {
    let orientation = try JPEGMarkers(file).orientation
    let (width, samples) = try lumaAndChroma(of: file)
    let rows = samples.count / (3 * width)
    let image = try HEIFImage(
      width: Int32(clamping: raster.width), height: Int32(clamping: raster.height),
      colorspace: heif_colorspace_YCbCr, chroma: heif_chroma_420)
    let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
    for (component, channel) in channels.enumerated() {
      let step = component == 0 ? 1 : 2
      var plane: [UInt8] = []
      plane.reserveCapacity(samples.count / (3 * step * step) + width + rows)
      for y in stride(from: 0, to: rows, by: step) {
        for x in stride(from: 0, to: width, by: step) {
          plane.append(samples[(y * width + x) * 3 + component])
        }
      }
      let stored = RasterImage(
        width: (width + step - 1) / step, height: (rows + step - 1) / step,
        format: PixelFormat(layout: .gray, bitDepth: 8), samples: .bytes(plane))
      guard let upright = stored?.oriented(orientation), case .bytes(let bytes) = upright.samples else {
        throw .heifAllocation
      }
      try image.addPlane(
        channel, width: Int32(clamping: upright.width), height: Int32(clamping: upright.height), bits: 8)
      try image.fill(channel, from: bytes, rows: upright.height)
    }
    if let profile = raster.profile.iccBytes { try image.embed(icc: profile) }
    return image
  }

  /// Interleaved samples with the width of their rows.
  private static func lumaAndChroma(of file: [UInt8]) throws(CodecError) -> (width: Int, samples: [UInt8]) {
    // The source is already within the run's limit, which may be higher than a reader's default.
    let side = HEIFEncoding.maximumSide + 1
    return try JPEGDecompressor.opened(file, ReadLimits(maximumPixels: side * side)) {
      decoder, frame throws(CodecError) in
      guard hb_jpeg_is_luma_and_chroma(decoder.handle) != 0 else {
        throw .unsupported("heif-enc does not read JPEG in CMYK or RGB")
      }
      hb_jpeg_keep_luma_and_chroma(decoder.handle)
      let count = frame.width * frame.height * 3
      return (
        frame.width, try decoder.samples(count) { hb_jpeg_read(decoder.handle, $0, count) }
      )
    }
  }
}
