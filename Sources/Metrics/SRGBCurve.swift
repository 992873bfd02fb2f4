import Foundation

/// The transfer function of sRGB (IEC 61966-2-1), encoded values and light both from 0 to 1.
enum SRGBCurve {
  /// Light of an encoded value.
  static func linear(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  /// Encoded value of light.
  static func encoded(_ linear: Double) -> Double {
    linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  /// The light of every sample value from 0 to `maximum`. The table has an entry for every value that the
  /// sample's type can take; those above the maximum are full light.
  static func table(maximum: Int) -> [Float] {
    let size = maximum > 255 ? 65536 : 256
    return (0..<size).map { Float(linear(Double(min($0, maximum)) / Double(maximum))) }
  }
}
