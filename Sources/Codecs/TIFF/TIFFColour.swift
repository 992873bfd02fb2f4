import CodecKit
import Foundation
import Pixels

/// The colours of a TIFF picture: by its ICC profile, else by its own statements (TIFF 6.0, section 20), else sRGB.
enum TIFFColour {
  static func profile(
    of picture: TIFFPicture, _ limits: ReadLimits
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    // CMYK is converted to sRGB.
    if case .cmyk = picture.colour { return (try SourceColour.profile(.sRGB, limits), nil) }
    if let icc = picture.icc { return try SourceColour.profile(icc: icc, for: picture.layout, limits) }
    let primaries = chromaticities(of: picture)
    let hasCurve = picture.directory.has(.transferFunction)
    let curve = hasCurve ? transfer(of: picture) : .sRGB
    guard primaries != nil || hasCurve else { return (try SourceColour.profile(.sRGB, limits), nil) }
    guard
      let found = try SourceColour.profile(
        primaries: primaries ?? .bt709, transfer: curve ?? .sRGB, for: picture.layout, limits)
    else { return (try SourceColour.profile(.sRGB, limits), "invalid PrimaryChromaticities ignored") }
    let note =
      curve == nil
      ? "TransferFunction of an unknown shape ignored"
      : found.iccBytes == nil ? nil : "PrimaryChromaticities/TransferFunction converted to an ICC profile"
    return (found, note)
  }

  private static func chromaticities(of picture: TIFFPicture) -> Chromaticities? {
    let points = picture.metadata { directory in
      let values = directory.rationals(.primaryChromaticities)
      return values.count == 6 ? values : nil
    }
    guard let points else { return nil }
    let white = picture.metadata { directory in
      let values = directory.rationals(.whitePoint)
      return values.count == 2 ? Chromaticity(values[0], values[1]) : nil
    }
    return Chromaticities(
      red: Chromaticity(points[0], points[1]), green: Chromaticity(points[2], points[3]),
      blue: Chromaticity(points[4], points[5]), white: white ?? Chromaticities.d65)
  }

  /// The transfer function given as a table of linear light per stored value, if it is sRGB's or a power function for
  /// all channels.
  private static func transfer(of picture: TIFFPicture) -> TransferFunction? {
    let size = 1 << picture.bits
    let all = picture.directory.numbers(.transferFunction, most: 3 * size)
    let tables = stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
    guard let table = tables.first, table.count == size, tables.allSatisfy({ $0 == table }), size > 2 else {
      return nil
    }
    let (place, light) = (Double(size / 2) / Double(size - 1), Double(table[size / 2]) / 65_535)
    guard light > 0, light < 1 else { return nil }
    // Rounded, because nobody states more than two digits.
    let exponent = (log(light) / log(place) * 100).rounded() / 100
    return [TransferFunction.sRGB, .gamma(exponent)].first { function in
      table.enumerated().allSatisfy { index, value in
        abs(function.linearLight(Double(index) / Double(size - 1)) - Double(value) / 65_535) < 0.003
      }
    }
  }
}
