import CodecKit
import Pixels

/// Colour interpretation of source samples. Shared by all readers, so that light outside the metrics' definition (PQ,
/// HLG and unknown transfer functions) is refused in one place.
enum SourceColour {
  /// The profile that a file embeds, with a note if it is not the file's own; sRGB without one.
  static func profile(
    icc: [UInt8]?, for layout: ChannelLayout
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    guard let icc else { return (.sRGB, nil) }
    try check(icc: icc)
    if let transfer = ColorProfiles.hdrTransfer(of: icc) {
      throw .highDynamicRange(CodePoints(primaries: 2, transfer: transfer == .pq ? 16 : 18))
    }
    return ColorProfiles.profile(icc: icc, for: layout)
  }

  /// Profile of a file that names code points; nil for unknown primaries.
  static func profile(
    _ points: CodePoints, for layout: ChannelLayout
  ) throws(CodecError) -> ColorProfile? {
    try check(points)
    return ColorProfiles.profile(primaries: points.primaries, transfer: points.transfer, for: layout)
  }

  /// Refuses a profile that names code points of HDR. Pure Swift, since headers may be hostile.
  static func check(icc: [UInt8]?) throws(CodecError) {
    guard let points = icc.flatMap(ColorProfiles.namedCodePoints) else { return }
    if TransferFunction(codePoint: points.transfer)?.isHDR == true { throw .highDynamicRange(points) }
  }

  /// Refuses HDR and unknown transfer functions. Unspecified (2) is taken for sRGB.
  static func check(_ points: CodePoints?) throws(CodecError) {
    guard let points, points.transfer != 2 else { return }
    guard let transfer = TransferFunction(codePoint: points.transfer) else {
      throw .unsupported(
        "its transfer characteristics (\(points.transfer) in ITU-T H.273) are not known here, so that its light is not "
          + "either; convert it to sRGB first")
    }
    if transfer.isHDR { throw .highDynamicRange(points) }
  }
}
