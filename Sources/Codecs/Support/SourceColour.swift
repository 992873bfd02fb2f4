import CodecKit
import Model
import Pixels

/// What the samples of a source mean as colours. Every reader asks here, so that light which the metrics are not defined for is
/// refused in one place: PQ and HLG, and transfer functions that are not known.
enum SourceColour {
  /// The profile of a file that embeds one, and a note where it is not the file's own.
  static func profile(
    icc: [UInt8], for layout: ChannelLayout
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    try check(icc: icc)
    if let transfer = ColorProfiles.hdrTransfer(of: icc) {
      throw .highDynamicRange(CodePoints(primaries: 2, transfer: transfer == .pq ? 16 : 18))
    }
    return ColorProfiles.profile(icc: icc, for: layout)
  }

  /// The profile of a file that names code points; nil where its primaries are not known.
  static func profile(
    _ points: CodePoints, for layout: ChannelLayout
  ) throws(CodecError) -> ColorProfile? {
    try check(points)
    return ColorProfiles.profile(primaries: points.primaries, transfer: points.transfer, for: layout)
  }

  /// Refuses a profile that names code points of HDR. In Swift alone: headers may be hostile.
  static func check(icc: [UInt8]?) throws(CodecError) {
    guard let points = icc.flatMap(ColorProfiles.namedCodePoints) else { return }
    if TransferFunction(codePoint: points.transfer)?.isHDR == true { throw .highDynamicRange(points) }
  }

  /// Refuses code points of HDR, and of transfer functions that are not known. Unspecified (2) is taken for sRGB.
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
