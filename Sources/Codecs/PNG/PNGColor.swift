import CodecKit
import Model
import Pixels

/// Chooses among the five ways a PNG's chunks can state its colours.
enum PNGColor {
  /// The profile by the standard's precedence: cICP, iCCP, sRGB, then gAMA with cHRM.
  /// - Parameter icc: libpng's unpacked iCCP.
  static func profile(
    _ chunks: PNGChunks, icc: [UInt8]?, layout: ChannelLayout
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    if let points = chunks.codePoints, let profile = try SourceColour.profile(points, for: layout) {
      return (profile, profile.needsEmbedding ? "cICP made into an ICC profile" : nil)
    }
    if let icc { return try SourceColour.profile(icc: icc, for: layout) }
    guard !chunks.isSRGB else { return (.sRGB, nil) }
    return calibrated(chunks, layout)
  }

  private static func calibrated(
    _ chunks: PNGChunks, _ layout: ChannelLayout
  ) -> (profile: ColorProfile, note: String?) {
    guard chunks.gamma != nil || chunks.chromaticities != nil else { return (.sRGB, nil) }
    let transfer = transfer(chunks.gamma)
    guard let transfer,
      let profile = ColorProfiles.profile(
        primaries: chunks.chromaticities ?? .bt709, transfer: transfer, for: layout)
    else { return (.sRGB, "senseless gAMA/cHRM ignored") }
    return (profile, profile.needsEmbedding ? "gAMA/cHRM made into an ICC profile" : nil)
  }

  /// 45455, the inverse of 2.2, means the sRGB curve: the standard puts it into sRGB files for simple programs. Nil for
  /// exponents that no display has.
  private static func transfer(_ gamma: Int?) -> TransferFunction? {
    guard let gamma else { return .sRGB }
    guard (10_000...1_000_000).contains(gamma) else { return nil }
    return (45_000...46_000).contains(gamma) ? .sRGB : .gamma(100_000 / Double(gamma))
  }
}
