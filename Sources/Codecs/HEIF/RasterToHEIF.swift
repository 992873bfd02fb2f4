import CHEIFShim
import CodecKit
import Pixels

/// Converts rasters to libheif's images: gray as a luma plane, colour as interleaved RGB for libheif to convert.
struct RasterToHEIF {
  /// Bits per sample of the new image, at least those of the raster.
  let bitDepth: Int
  let isLossless: Bool
  /// Code points equivalent to the raster's profile; nil if the profile must be embedded.
  let points: CodePoints?

  func image(of raster: RasterImage) throws(CodecError) -> HEIFImage {
    guard raster.format.bitDepth <= bitDepth else {
      throw .unsupported("samples of \(raster.format.bitDepth) bits do not fit depth=\(bitDepth)")
    }
    let (width, height) = (Int32(clamping: raster.width), Int32(clamping: raster.height))
    let layout = raster.format.layout
    let image = try HEIFImage(
      width: width, height: height,
      colorspace: layout.isGray ? heif_colorspace_monochrome : heif_colorspace_RGB,
      chroma: layout.isGray
        ? .planar : .interleaved(isWide: bitDepth > 8, hasAlpha: layout.hasAlpha))
    let channels =
      switch layout {
      case .gray: [heif_channel_Y]
      case .grayAlpha: [heif_channel_Y, heif_channel_Alpha]
      case .rgb, .rgba: [heif_channel_interleaved]
      }
    for channel in channels { try image.addPlane(channel, width: width, height: height, bits: bitDepth) }
    switch raster.scaledDepth(to: bitDepth).samples {
    case .bytes(let bytes): try fill(image, with: bytes, rows: raster.height, layout: layout)
    case .words(let words): try fill(image, with: words, rows: raster.height, layout: layout)
    }
    let isExact = isLossless && !layout.isGray
    if points == nil, let profile = raster.profile.iccBytes { try image.embed(icc: profile) }
    // The matrix needs code points; sRGB's are used if there are none.
    if points != nil || isExact { try image.describe(points ?? .sRGB, matrix: matrix(of: raster)) }
    return image
  }

  /// Matrix coefficients: 0, the RGB samples themselves, is the only lossless way to code RGB; HDR's BT.2020 has its own
  /// (9); otherwise BT.601's (6), libheif's default.
  private func matrix(of raster: RasterImage) -> UInt16 {
    if isLossless, !raster.format.layout.isGray { return 0 }
    if case .light(let light) = raster.profile, light.points.primaries == 9 { return 9 }
    return 6
  }

  private func fill<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ image: borrowing HEIFImage, with samples: [Sample], rows: Int, layout: ChannelLayout
  ) throws(CodecError) {
    switch layout {
    case .gray: try image.fill(heif_channel_Y, from: samples, rows: rows)
    case .rgb, .rgba: try image.fill(heif_channel_interleaved, from: samples, rows: rows)
    case .grayAlpha:
      try image.fill(heif_channel_Y, from: Channels.channel(0, of: 2, in: samples), rows: rows)
      try image.fill(heif_channel_Alpha, from: Channels.channel(1, of: 2, in: samples), rows: rows)
    }
  }
}

extension heif_chroma {
  /// A separate plane, for gray. In libheif 1.23 `heif_chroma_monochrome` is a macro for `heif_chroma_planar`, which
  /// older headers lack; both are 0.
  static var planar: heif_chroma { heif_chroma(rawValue: 0) }

  /// RGB in native byte order.
  static func interleaved(isWide: Bool, hasAlpha: Bool) -> heif_chroma {
    let isLittle = Int(littleEndian: 1) == 1
    return switch (isWide, hasAlpha) {
    case (false, false): heif_chroma_interleaved_RGB
    case (false, true): heif_chroma_interleaved_RGBA
    case (true, false): isLittle ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RRGGBB_BE
    case (true, true): isLittle ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBBAA_BE
    }
  }
}
