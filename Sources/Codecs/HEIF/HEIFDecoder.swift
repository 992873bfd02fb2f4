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

    fileprivate mutating func unpremultiply() {
      raster = raster.unpremultiplied()
      notes.append("colours divided by alpha")
    }
  }

  func decode(_ bytes: [UInt8]) throws(CodecError) -> Result {
    let result = try HEIFContext.withPrimaryImage(of: bytes, info) { handle throws(CodecError) in
      try describing(decode(handle), by: handle)
    }
    return info.alpha == .scaled || info.alpha == .unturned ? try addingAlpha(to: result) : result
  }

  /// The result with alpha that libheif cannot add, decoded as a separate picture.
  private func addingAlpha(to result: Result) throws(CodecError) -> Result {
    let (items, main) = (info.items, info.items.primary)
    guard let item = items.alphas(of: main).first else { return result }
    let file = try items.file(showing: item)
    var alphaInfo = try HEIFFileInfo(file, maximumPixels: info.maximumPixels)
    alphaInfo.isLimited = info.isAlphaLimited
    var alpha = try HEIFDecoder(info: alphaInfo).decode(file).raster
    if info.alpha == .unturned {
      let placement = try HEIFPlacement(
        width: alpha.width, height: alpha.height, properties: items.propertyBoxes[main] ?? [])
      guard let visible = alpha.cropped(to: placement.visiblePart) else {
        throw .malformed("alpha that does not fit the picture")
      }
      alpha = placement.turns.reduce(visible) { $0.oriented($1) }
    }
    guard let raster = ScaledAlpha.add(alpha, to: result.raster) else {
      throw .malformed("alpha that does not fit the picture")
    }
    var result = result
    result.raster = raster
    if alpha.width != raster.width || alpha.height != raster.height {
      result.notes.append("alpha of \(alpha.width)×\(alpha.height) scaled to the picture's size")
    }
    if items.references.contains(where: { $0.type == "prem" && $0.from == main }) {
      result.unpremultiply()
    }
    return result
  }

  /// The result with the colours that the file states, HDR ones before others.
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
      throw .unsupported("the coded image does not state its bit depth")
    }
    let (isWide, hasAlpha) = (bits > 8, info.alpha == .matching)
    // libheif assembles all grids as colour, even gray ones.
    let isPlanar = info.isGray && !info.isDerived
    let image = try handle.decode(
      isPlanar ? heif_colorspace_monochrome : heif_colorspace_RGB,
      isPlanar ? .planar : .interleaved(isWide: isWide, hasAlpha: hasAlpha))
    let channel = isPlanar ? heif_channel_Y : heif_channel_interleaved
    let (width, height) = (image.width(of: channel), image.height(of: channel))
    guard width > 0, height > 0 else { throw .malformed("libheif did not decode any pixels") }
    try HEIFDerivationWalk.check(width: width, height: height, maximumPixels: info.maximumPixels)
    try info.check(decodedWidth: width, height: height)
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
      throw .malformed("libheif's decoded samples of \(format.bitDepth) bits do not fit the picture's size")
    }
    let spread = LimitedRange.spread(
      info.isGray ? raster.collapsedToGray() : raster, colours: info.isLimited, alpha: info.isAlphaLimited)
    var result = Result(raster: spread)
    if image.warningCount > 0 { result.notes.append("warnings while decoding: \(image.warningCount)") }
    if hasAlpha, handle.isPremultiplied || info.isPremultipliedInside { result.unpremultiply() }
    if info.alpha == .mismatched { result.notes.append("alpha image with a different shape left out") }
    return result
  }
}

enum HEIFColour {
  /// The meaning of the embedded ICC profile or the code points, with a note if those of the file are unusable.
  static func profile(
    of decoded: HEIFDecoder.Result, _ limits: ReadLimits
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    try profile(icc: decoded.icc, decoded.codePoints, for: decoded.raster.format.layout, limits)
  }

  static func profile(
    icc: [UInt8]?, _ points: CodePoints?, for layout: ChannelLayout, _ limits: ReadLimits
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    guard icc == nil, let points else { return try SourceColour.profile(icc: icc, for: layout, limits) }
    guard let profile = try SourceColour.profile(points, for: layout, limits) else {
      return (
        try SourceColour.profile(.sRGB, limits),
        "unknown colour primaries \(points.primaries) treated as sRGB's"
      )
    }
    return (profile, nil)
  }

  /// Code points that can replace a profile; nil if the profile must be embedded.
  static func codePoints(of profile: ColorProfile) -> CodePoints? {
    if case .light(let light) = profile { return light.points }
    return profile.iccBytes.flatMap(ColorProfiles.codePoints)
  }
}
