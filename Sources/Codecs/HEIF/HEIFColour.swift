import CodecKit
import Model
import Pixels

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
