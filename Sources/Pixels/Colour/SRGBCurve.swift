import Foundation
import Synchronization

/// The transfer function of sRGB (IEC 61966-2-1); encoded values and light are both from 0 to 1.
package enum SRGBCurve {
  package static func encoded(_ linear: Double) -> Double {
    linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  /// The light of an encoded value, by libjxl's rational approximation (largest error 5e-7, evaluated in floats):
  /// SSIMULACRA2 is sensitive to the last bit of its input, and this way scores agree with libjxl's.
  package static func linear(_ encoded: Float) -> Float {
    guard encoded > 0.04045 else { return encoded * (1 / 12.92) }
    return polynomial(numerator, encoded) / polynomial(denominator, encoded)
  }

  /// The light of every value of the sample's type; values above `maximum` are full light. 16-bit values that repeat 8
  /// bits give the same light as the 8-bit values, to the last bit.
  package static func table(maximum: Int) -> [Float] {
    tables.withLock { tables in
      if let known = tables[maximum] { return known }
      let table = (0..<(maximum > 255 ? 65536 : 256)).map { sample in
        let repeats = maximum == 65535 && sample.isMultiple(of: 257) ? 257 : 1
        return linear(Float(min(sample, maximum) / repeats) * (1 / Float(maximum / repeats)))
      }
      tables[maximum] = table
      return table
    }
  }

  private static let tables = Mutex<[Int: [Float]]>([:])

  private static let numerator: [Float] = [
    8.210152774e-01, 7.961564959e-01, 1.624820318e-01, 1.043637593e-02, 2.200248328e-04,
  ]
  private static let denominator: [Float] = [
    6.521209011e-03, -5.512498495e-02, 4.987528350e-01, 1.076976492e+00, 2.631846970e-01,
  ]

  private static func polynomial(_ coefficients: [Float], _ x: Float) -> Float {
    coefficients.dropFirst().reduce(coefficients[0]) { $1.addingProduct($0, x) }
  }
}
