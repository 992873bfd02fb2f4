import CodecKit
import Pixels

/// Colour interpretation of source samples. Shared by all readers, so that one place determines the light that samples
/// mean, whatever the container: SDR colours with a profile for the metrics, or absolute light in an HDR run. Unknown
/// transfer functions are refused, and HDR ones in an SDR run.
///
/// A container states its colours by an ICC profile, by code points of ITU-T H.273 (cICP, nclx, the headers of a coded
/// image, JPEG XL), or by primaries and a curve (gAMA and cHRM, JPEG XL, TIFF). Each of the three has its own function
/// here.
enum SourceColour {
  /// The meaning of a file's embedded profile, with a note if it is not the file's own; sRGB without one.
  static func profile(
    icc: [UInt8]?, for layout: ChannelLayout, _ limits: ReadLimits
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    guard let icc else { return (try profile(.sRGB, limits), nil) }
    if let points = hdr(icc: icc) { return (try profile(neutral(points), limits), nil) }
    if let transfer = ColorProfiles.hdrTransfer(of: icc) {
      guard limits.light == nil else {
        throw .unsupported(
          "its ICC profile has an HDR curve but does not name code points, so its light is unknown; write it with "
            + "code points (nclx, cICP)")
      }
      throw .highDynamicRange(CodePoints(primaries: 2, transfer: transfer == .pq ? 16 : 18))
    }
    let (found, note) = ColorProfiles.profile(icc: icc, for: layout)
    return (try profile(found, limits), note)
  }

  /// The meaning of primaries and a curve; nil for primaries that do not span a colour space.
  static func profile(
    primaries: Chromaticities, transfer: TransferFunction, for layout: ChannelLayout, _ limits: ReadLimits
  ) throws(CodecError) -> ColorProfile? {
    guard let found = try profile(primaries: primaries, transfer: transfer, for: layout) else { return nil }
    return try profile(found, limits)
  }

  /// The same for callers that know the run; light is as on the usual display.
  static func profile(
    primaries: Chromaticities, transfer: TransferFunction, for layout: ChannelLayout
  ) throws(CodecError) -> ColorProfile? {
    // HDR primaries without a number are treated as BT.2100's.
    if transfer.isHDR, let number = transfer.codePoint {
      return neutral(CodePoints(primaries: primaries.codePoint ?? 2, transfer: number))
    }
    return ColorProfiles.profile(primaries: primaries, transfer: transfer, for: layout)
  }

  /// The meaning of code points; nil for unknown SDR primaries. Unspecified code points (2) mean sRGB.
  static func profile(
    _ points: CodePoints, for layout: ChannelLayout, _ limits: ReadLimits
  ) throws(CodecError) -> ColorProfile? {
    guard let found = try profile(points, for: layout) else { return nil }
    return try profile(found, limits)
  }

  /// The same for callers that know the run; light is as on the usual display.
  static func profile(_ points: CodePoints, for layout: ChannelLayout) throws(CodecError) -> ColorProfile? {
    try check(points)
    if let points = hdr(points) { return neutral(points) }
    return ColorProfiles.profile(primaries: points.primaries, transfer: points.transfer, for: layout)
  }

  /// The meaning of a profile in the run.
  static func profile(_ profile: ColorProfile, _ limits: ReadLimits) throws(CodecError) -> ColorProfile {
    guard let viewing = limits.light else {
      if case .light(let light) = profile { throw .highDynamicRange(light.points) }
      return profile
    }
    // Samples declared to be BT.2100 have its primaries, whatever SDR colours they are marked with or assumed to have.
    let isTold = viewing.source == .pq || viewing.source == .hlg
    guard let points = isTold && profile == .sRGB ? CodePoints(primaries: 2, transfer: 2) : profile.codePoints
    else {
      throw .unsupported(
        "an HDR run accepts sRGB and code points (nclx, cICP), but its ICC profile is neither; convert it to sRGB"
      )
    }
    guard points.primaries == 2 || Chromaticities(codePoint: points.primaries) != nil else {
      throw .unsupported("heicbench does not know its primaries (\(points.primaries) in ITU-T H.273)")
    }
    guard let light = viewing.light(of: points) else {
      throw .unsupported("it is HDR, but --light white accepts only SDR; --light file accepts both")
    }
    return .light(light)
  }

  private static func neutral(_ points: CodePoints) -> ColorProfile {
    .light(HDRLight(points: points, peak: points.transfer == 16 ? HDRLight.pqPeak : HDRLight.nominalPeak))
  }

  /// The code points of HDR that a profile names. Pure Swift, since headers may be hostile.
  static func hdr(icc: [UInt8]?) -> CodePoints? { hdr(icc.flatMap(ColorProfiles.namedCodePoints)) }

  /// The code points if they are HDR.
  static func hdr(_ points: CodePoints?) -> CodePoints? {
    points.flatMap { TransferFunction(codePoint: $0.transfer)?.isHDR == true ? $0 : nil }
  }

  /// Refuses HDR code points in an SDR run.
  static func check(hdr points: CodePoints?, _ limits: ReadLimits) throws(CodecError) {
    if let points, limits.light == nil { throw .highDynamicRange(points) }
  }

  /// Refuses unknown transfer functions. Unspecified (2) is treated as sRGB.
  static func check(_ points: CodePoints?) throws(CodecError) {
    guard let points, points.transfer != 2, TransferFunction(codePoint: points.transfer) == nil else {
      return
    }
    throw .unsupported(
      "heicbench does not know its transfer characteristics (\(points.transfer) in ITU-T H.273); "
        + "convert it to sRGB first")
  }
}
