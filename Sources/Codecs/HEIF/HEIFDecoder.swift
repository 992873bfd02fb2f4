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
      try describing(decode(handle), by: handle)
    }
  }

  /// A result with the colours that the file states, HDR's before others.
  func describing(
    _ result: Result, by handle: borrowing HEIFImageHandle
  ) throws(CodecError) -> Result {
    var result = result
    result.icc = info.hdr == nil ? try handle.iccProfile() : nil
    result.codePoints = info.hdr ?? info.codePoints
    return result
  }

  func decode(_ handle: borrowing HEIFImageHandle) throws(CodecError) -> Result {
    guard let bits = handle.lumaBits, (8...16).contains(bits) else {
      throw .unsupported("the coded image does not tell its bit depth")
    }
    let (isWide, hasAlpha) = (bits > 8, info.alpha == .matching)
    // libheif assembles grids only as colour, even gray ones.
    let isPlanar = info.isGray && !info.isDerived
    let image = try handle.decode(
      isPlanar ? heif_colorspace_monochrome : heif_colorspace_RGB,
      isPlanar ? .planar : .interleaved(isWide: isWide, hasAlpha: hasAlpha))
    let channel = isPlanar ? heif_channel_Y : heif_channel_interleaved
    let (width, height) = (image.width(of: channel), image.height(of: channel))
    guard width > 0, height > 0 else { throw .malformed("libheif decoded no pixels") }
    try HEIFDerivationWalk.check(width: width, height: height, maximumPixels: info.maximumPixels)
    let format = PixelFormat(
      layout: isPlanar ? (hasAlpha ? .grayAlpha : .gray) : hasAlpha ? .rgba : .rgb,
      bitDepth: image.bits(of: channel))
    var samples = try image.samples(
      of: channel, rowCount: width * (isPlanar ? 1 : format.layout.channels), rows: height)
    if isPlanar, hasAlpha {
      let alpha = heif_channel_Alpha
      guard image.width(of: alpha) == width, image.height(of: alpha) == height,
        image.bits(of: alpha) == format.bitDepth
      else { throw .unsupported("the alpha image differs from the main image in size or depth") }
      samples = samples.interleaved(with: try image.samples(of: alpha, rowCount: width, rows: height))
    }
    guard let raster = RasterImage(width: width, height: height, format: format, samples: samples) else {
      throw .malformed("libheif decoded samples of \(format.bitDepth) bits that do not fit the size")
    }
    var result = Result(raster: info.isGray ? raster.collapsedToGray() : raster)
    if image.warningCount > 0 { result.notes.append("decoded with \(image.warningCount) warnings") }
    if hasAlpha, handle.isPremultiplied {
      result.raster = result.raster.unpremultiplied()
      result.notes.append("colours divided by alpha")
    }
    if info.alpha == .mismatched { result.notes.append("alpha image of another size left out") }
    return result
  }
}

enum HEIFColour {
  /// The meaning of the embedded ICC profile or the code points, with a note if the file's are unusable.
  static func profile(
    of decoded: HEIFDecoder.Result, _ limits: ReadLimits
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    let layout = decoded.raster.format.layout
    guard decoded.icc == nil, let points = decoded.codePoints else {
      return try SourceColour.profile(icc: decoded.icc, for: layout, limits)
    }
    guard let profile = try SourceColour.profile(points, for: layout, limits) else {
      return (
        try SourceColour.profile(.sRGB, limits),
        "unknown colour primaries \(points.primaries) taken as sRGB's"
      )
    }
    return (profile, nil)
  }

  /// Code points that can stand in for a profile; nil if the profile must be embedded.
  static func codePoints(of profile: ColorProfile) -> CodePoints? {
    if case .light(let light) = profile { return light.points }
    return profile.iccBytes.flatMap(ColorProfiles.codePoints)
  }
}
