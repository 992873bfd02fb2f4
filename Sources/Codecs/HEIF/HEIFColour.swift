import Model
import Pixels

/// Decides on the profile of a decoded HEIF image.
enum HEIFColour {
  /// The embedded ICC profile, or one for the code points; with a remark where the file's cannot be used.
  static func profile(of decoded: HEIFDecoder.Result) -> (profile: ColorProfile, note: String?) {
    let layout = decoded.raster.format.layout
    if let icc = decoded.icc { return ColorProfiles.profile(icc: icc, for: layout) }
    guard let points = decoded.codePoints else { return (.sRGB, nil) }
    let transfer = usesCameraCurve(points.transfer) ? 13 : points.transfer
    guard
      let profile = ColorProfiles.profile(primaries: points.primaries, transfer: transfer, for: layout)
    else { return (.sRGB, "unknown colour code points \(points.primaries)/\(points.transfer) dropped") }
    return (profile, nil)
  }

  /// BT.709, BT.601 and BT.2020 state the curve of a camera. Pictures that carry it are meant for a display,
  /// and viewers show them with sRGB's curve.
  private static func usesCameraCurve(_ transfer: Int) -> Bool { [1, 6, 14, 15].contains(transfer) }
}
