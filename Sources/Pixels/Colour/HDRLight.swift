import Foundation

extension HDRLight {
  /// The light in words: `PQ, primaries of BT.2020, 10000 cd/m²`.
  package var title: String {
    let primaries = [1: "BT.709", 9: "BT.2020", 12: "Display P3"][points.primaries]
    return
      "\(transfer.name), primaries of \(primaries ?? "H.273’s \(points.primaries)"), \(peak.shortest) cd/m²"
  }

  private var transfer: TransferFunction { TransferFunction(codePoint: points.transfer) ?? .sRGB }
}

/// Converts an HDR raster's samples to light and back. Light is linear with the primaries of sRGB, with 1 for
/// `HDRLight.referenceWhite`; colours outside sRGB's gamut stay negative.
package struct HDRTransform: Sendable {
  /// The linear values of all samples from the curve alone (for HLG scene light), with 1 for full.
  private let table: [Float]
  private let transfer: TransferFunction
  private let toSRGB: Matrix3
  private let fromSRGB: Matrix3
  /// The light of a full sample, in units of `referenceWhite`.
  private let scale: Double
  /// HLG's system gamma minus 1; 0 for curves without a conversion to display light.
  private let exponent: Double

  /// - Parameter maximum: The value of a full sample.
  package init(_ light: HDRLight, maximum: Int) {
    transfer = TransferFunction(codePoint: light.points.transfer) ?? .sRGB
    toSRGB = Self.toSRGB(from: light)
    fromSRGB = toSRGB.inverse
    scale = light.peak / HDRLight.referenceWhite
    // ITU-R BT.2100, table 5, note 5f.
    exponent = transfer == .hlg ? 0.2 + 0.42 * log10(light.peak / HDRLight.nominalPeak) : 0
    let curve = transfer
    table = (0...maximum).map { Float(curve.linearLight(Double($0) / Double(maximum))) }
  }

  /// The matrix from linear light with the light's primaries to linear sRGB.
  static func toSRGB(from light: HDRLight) -> Matrix3 {
    let chromaticities = Chromaticities(codePoint: light.points.primaries) ?? .bt709
    return Chromaticities.bt709.toXYZ.inverse * chromaticities.toXYZ
  }

  /// The columns of the matrix from linear sRGB to linear light with other primaries and the same white.
  package static func matrixFromSRGB(
    to primaries: Chromaticities
  ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    (primaries.toXYZ.inverse * Chromaticities.bt709.toXYZ).columns
  }

  /// Linear sRGB of a pixel's samples.
  package func light(_ red: Int, _ green: Int, _ blue: Int) -> SIMD3<Float> {
    let last = table.count - 1
    var linear = SIMD3(
      Double(table[min(red, last)]), Double(table[min(green, last)]), Double(table[min(blue, last)]))
    if exponent != 0 { linear *= pow(max(Self.luminance(linear), 1e-12), exponent) }
    return SIMD3<Float>(toSRGB * (linear * scale))
  }

  /// The encoded values, 0 to 1, of linear sRGB; light that samples cannot express is clipped.
  package func encoded(_ light: SIMD3<Float>) -> SIMD3<Double> {
    var linear = (fromSRGB * SIMD3<Double>(light)) / scale
    linear.clamp(lowerBound: .zero, upperBound: .one)
    if exponent != 0 {
      // The inverse of Y' = Y^(1 + exponent), which is BT.2100's inverse OOTF.
      linear *= pow(max(Self.luminance(linear), 1e-12), -exponent / (1 + exponent))
      linear.clamp(lowerBound: .zero, upperBound: .one)
    }
    return SIMD3(
      transfer.encoded(linear.x), transfer.encoded(linear.y), transfer.encoded(linear.z))
  }

  /// Scene luminance of linear BT.2020 (ITU-R BT.2100).
  private static func luminance(_ rgb: SIMD3<Double>) -> Double {
    (rgb * SIMD3(0.2627, 0.6780, 0.0593)).sum()
  }
}

/// A 3 × 3 matrix by columns.
struct Matrix3: Sendable {
  var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  static let identity = Matrix3(columns: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)))

  /// False for the inverse of a singular matrix.
  var isFinite: Bool { (columns.0 + columns.1 + columns.2).sum().isFinite }

  static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
  }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(columns: (left * right.columns.0, left * right.columns.1, left * right.columns.2))
  }

  /// Computed with the adjugate; the caller must pass independent columns.
  var inverse: Matrix3 {
    let (a, b, c) = columns
    let rows = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
    let determinant = (a * rows.0).sum()
    return Matrix3(
      columns: (
        SIMD3(rows.0.x, rows.1.x, rows.2.x) / determinant, SIMD3(rows.0.y, rows.1.y, rows.2.y) / determinant,
        SIMD3(rows.0.z, rows.1.z, rows.2.z) / determinant
      ))
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

extension Chromaticities {
  /// The matrix from linear RGB to CIE XYZ, with Y = 1 for white (SMPTE RP 177).
  var toXYZ: Matrix3 {
    func xyz(_ colour: Chromaticity) -> SIMD3<Double> {
      SIMD3(colour.x / colour.y, 1, (1 - colour.x - colour.y) / colour.y)
    }
    let primaries = Matrix3(columns: (xyz(red), xyz(green), xyz(blue)))
    let shares = primaries.inverse * xyz(white)
    return Matrix3(
      columns: (
        primaries.columns.0 * shares.x, primaries.columns.1 * shares.y, primaries.columns.2 * shares.z
      ))
  }
}

/// The light of an HDR run's sources.
package struct HDRViewing: Sendable, Hashable, Codable {
  package enum Source: String, Sendable, Hashable, Codable, CaseIterable {
    /// The light that each file states; an SDR picture has its white at `white`.
    case file
    /// All samples are PQ.
    case pq
    /// All samples are HLG.
    case hlg
    /// All samples are SDR with its white at `white`; PQ and HLG are refused.
    case white
  }

  package var source: Source
  /// Peak luminance of the display that shows HLG, in cd/m².
  package var peak: Double
  /// Luminance of SDR white, in cd/m².
  package var white: Double

  package init(
    source: Source, peak: Double = HDRLight.nominalPeak, white: Double = HDRLight.referenceWhite
  ) {
    (self.source, self.peak, self.white) = (source, peak, white)
  }

  /// The light of samples with these code points; nil if the source does not allow them.
  package func light(of points: CodePoints) -> HDRLight? {
    let isHDR = TransferFunction(codePoint: points.transfer)?.isHDR == true
    let primaries =
      points.primaries == 2 ? (isHDR || source == .pq || source == .hlg ? 9 : 1) : points.primaries
    func light(_ transfer: Int, _ peak: Double) -> HDRLight {
      HDRLight(points: CodePoints(primaries: primaries, transfer: transfer), peak: peak)
    }
    switch (source, points.transfer) {
    case (.pq, _), (.file, 16): return light(16, HDRLight.pqPeak)
    case (.hlg, _), (.file, 18): return light(18, peak)
    case (.white, 16), (.white, 18): return nil
    default: return light(points.transfer == 2 ? 13 : points.transfer, white)
    }
  }

  /// The source in words: `all samples are PQ`.
  package var title: String {
    let hlg = "HLG on a display of \(peak.shortest) cd/m²"
    let sdr = "SDR with its white at \(white.shortest) cd/m²"
    return switch source {
    case .file: "as each file states; PQ, \(hlg), \(sdr)"
    case .pq: "all samples are PQ"
    case .hlg: "all samples are \(hlg)"
    case .white: "all samples are \(sdr)"
    }
  }

  /// The viewing conditions on one line, as a part of a measurement's key: `light=file peak=1000 white=203`.
  package var canonicalSpelling: String {
    switch source {
    case .file: "light=file peak=\(peak.shortest) white=\(white.shortest)"
    case .pq: "light=pq"
    case .hlg: "light=hlg peak=\(peak.shortest)"
    case .white: "light=white white=\(white.shortest)"
    }
  }
}

extension Double {
  fileprivate var shortest: String { self == rounded() && abs(self) < 1e9 ? "\(Int(self))" : "\(self)" }
}
