import CHEIFShim
import CodecKit
import Pixels

struct HEIFDecoder {
  let info: HEIFFileInfo

  struct Result {
    /// Pixels with straight alpha, not yet tagged with a profile.
    var raster: RasterImage
    var notes: [String] = []
    var icc: [UInt8]?
    var codePoints: CodePoints?
  }

  func decode(_ bytes: [UInt8]) throws(CodecError) -> Result {
    try HEIFContext.withPrimaryImage(of: bytes, info) { handle throws(CodecError) in
      var result = try decode(handle)
      result.icc = try handle.iccProfile()
      result.codePoints = handle.codePoints()
      return result
    }
  }

  func decode(_ handle: borrowing HEIFImageHandle) throws(CodecError) -> Result {
    guard let bits = handle.lumaBits, (8...16).contains(bits) else {
      throw .unsupported("the coded image does not tell its bit depth")
    }
    let keepsAlpha = info.alpha == .matching
    var result =
      if info.isGray && !info.isDerived {
        try planes(handle, bits: bits, hasAlpha: keepsAlpha)
      } else {
        try interleaved(handle, bits: bits, hasAlpha: keepsAlpha)
      }
    if keepsAlpha, handle.isPremultiplied {
      result.raster = result.raster.unpremultiplied()
      result.notes.append("colours divided by alpha")
    }
    if info.alpha == .mismatched { result.notes.append("alpha image of another size left out") }
    return result
  }

  private func planes(
    _ handle: borrowing HEIFImageHandle, bits: Int, hasAlpha: Bool
  ) throws(CodecError) -> Result {
    let image = try handle.decode(heif_colorspace_monochrome, heif_chroma_monochrome)
    let (width, height) = (image.width(of: heif_channel_Y), image.height(of: heif_channel_Y))
    try checkSize(width, height)
    let format = PixelFormat(
      layout: hasAlpha ? .grayAlpha : .gray, bitDepth: image.bits(of: heif_channel_Y))
    if hasAlpha {
      guard image.width(of: heif_channel_Alpha) == width, image.height(of: heif_channel_Alpha) == height,
        image.bits(of: heif_channel_Alpha) == format.bitDepth
      else { throw .unsupported("the alpha image differs from the main image in size or depth") }
    }
    var samples = try image.samples(of: heif_channel_Y, rowCount: width, rows: height)
    if hasAlpha {
      let alpha = try image.samples(of: heif_channel_Alpha, rowCount: width, rows: height)
      samples = samples.interleaved(with: alpha)
    }
    return try finish(image, width: width, height: height, format: format, samples: samples)
  }

  /// Decodes colour, and gray that libheif can only assemble as colour (grids).
  private func interleaved(
    _ handle: borrowing HEIFImageHandle, bits: Int, hasAlpha: Bool
  ) throws(CodecError) -> Result {
    let chroma: heif_chroma =
      switch (bits == 8, hasAlpha) {
      case (true, false): heif_chroma_interleaved_RGB
      case (true, true): heif_chroma_interleaved_RGBA
      case (false, false): .interleavedWords
      case (false, true): .interleavedWordsWithAlpha
      }
    let image = try handle.decode(heif_colorspace_RGB, chroma)
    let channel = heif_channel_interleaved
    let (width, height) = (image.width(of: channel), image.height(of: channel))
    try checkSize(width, height)
    let channels = hasAlpha ? 4 : 3
    let depth = image.bits(of: channel)
    let samples = try image.samples(of: channel, rowCount: width * channels, rows: height)
    let format = PixelFormat(layout: hasAlpha ? .rgba : .rgb, bitDepth: depth)
    return try finish(image, width: width, height: height, format: format, samples: samples)
  }

  private func checkSize(_ width: Int, _ height: Int) throws(CodecError) {
    guard width > 0, height > 0 else { throw .malformed("libheif decoded no pixels") }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= info.maximumPixels else {
      throw .limitExceeded("\(width)×\(height) is over the limit of \(info.maximumPixels) pixels")
    }
  }

  private func finish(
    _ image: borrowing HEIFImage, width: Int, height: Int, format: PixelFormat,
    samples: RasterImage.Samples
  ) throws(CodecError) -> Result {
    guard
      var raster = RasterImage(width: width, height: height, format: format, samples: samples)
    else { throw .malformed("libheif decoded samples of \(format.bitDepth) bits that do not fit the size") }
    var notes: [String] = []
    if image.warningCount > 0 { notes.append("decoded with \(image.warningCount) warnings") }
    if info.isGray { raster = raster.collapsedToGray() }
    return Result(raster: raster, notes: notes)
  }
}

enum HEIFColour {
  /// The embedded ICC profile or one for the code points, with a note if the file's is unusable.
  static func profile(
    of decoded: HEIFDecoder.Result
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    let layout = decoded.raster.format.layout
    if let icc = decoded.icc { return try SourceColour.profile(icc: icc, for: layout) }
    guard var points = decoded.codePoints else { return (.sRGB, nil) }
    if usesCameraCurve(points.transfer) { points.transfer = 13 }
    guard let profile = try SourceColour.profile(points, for: layout) else {
      return (.sRGB, "unknown colour primaries \(points.primaries) taken as sRGB's")
    }
    return (profile, nil)
  }

  /// Code points that can stand in for a profile; nil if the profile must be embedded.
  static func codePoints(of profile: ColorProfile) -> CodePoints? {
    let points = profile.iccBytes.flatMap(ColorProfiles.codePoints)
    // Viewers would read a genuine camera curve as sRGB's.
    return points.flatMap { usesCameraCurve($0.transfer) ? nil : $0 }
  }

  /// True for BT.709, BT.601, SMPTE 240M and BT.2020, whose curve is a camera's. Such pictures are meant for a display,
  /// and viewers show them with sRGB's curve.
  private static func usesCameraCurve(_ transfer: Int) -> Bool {
    [1, 6, 7, 11, 12, 14, 15].contains(transfer)
  }
}
