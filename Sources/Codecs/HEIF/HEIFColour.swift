import CodecKit
import Model
import Pixels

/// Decides on the profile of a decoded HEIF image.
enum HEIFColour {
  /// The embedded ICC profile, or one for the code points; with a remark where the file's cannot be used.
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

  /// The code points that a file can state in place of a profile; nil where the profile has to be embedded.
  static func codePoints(of profile: ColorProfile) -> CodePoints? {
    let points = profile.iccBytes.flatMap(ColorProfiles.codePoints)
    // A camera's curve that is meant would be read as sRGB's.
    return points.flatMap { usesCameraCurve($0.transfer) ? nil : $0 }
  }

  /// BT.709, BT.601, SMPTE 240M and BT.2020 state the curve of a camera. Pictures that carry it are meant for a display, and
  /// viewers show them with sRGB's curve.
  private static func usesCameraCurve(_ transfer: Int) -> Bool {
    [1, 6, 7, 11, 12, 14, 15].contains(transfer)
  }
}
