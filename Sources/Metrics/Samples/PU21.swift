import CMetricKernels
import Foundation
import Pixels

/// Perceptually uniform encoding of absolute luminance, PU21 with the parameters “banding and glare” (Mantiuk and
/// Azimi, “PU21: A novel perceptually uniform encoding for adapting existing quality metrics for HDR”, PCS 2021): 0 for
/// 0.005 cd/m², 256.4 for 100, 595.4 for 10,000. Metrics use 256 as the peak of the scale, as in its reference code.
enum PU21 {
  static let peak = 256.0
  private static let range = 0.005...10_000.0

  /// The encoded value of a luminance in cd/m², which is clamped to 0.005…10,000.
  static func encoded(_ luminance: Double) -> Double {
    let p = [
      0.353487901, 0.3734658629, 8.277049286e-05, 0.9062562627, 0.09150303166, 0.9099517204, 596.3148142,
    ]
    let power = pow(min(max(luminance, range.lowerBound), range.upperBound), p[3])
    return max(p[6] * (pow((p[0] + p[1] * power) / (1 + p[2] * power), p[4]) - p[5]), 0)
  }

  /// The same from a table, many times faster.
  static func encoded(_ luminance: Float) -> Float { Float(table.value(luminance)) }

  private static let table = CurveTable(Float(range.lowerBound)...Float(range.upperBound)) { encoded($0) }
}

/// A smooth curve tabulated by the leading bits of floats, linear in between: some 4,096 values per octave, so that the
/// error is less than a part in 10⁷ of the change over an octave.
struct CurveTable: Sendable {
  private static let skipped: UInt32 = 11
  private let range: ClosedRange<Float>
  private let first: UInt32
  private let values: [Double]

  /// Tabulates a curve over a range of positive arguments; arguments outside count as the ends of the range.
  init(_ range: ClosedRange<Float>, _ curve: (Double) -> Double) {
    self.range = range
    first = range.lowerBound.bitPattern >> Self.skipped
    values = (first...(range.upperBound.bitPattern >> Self.skipped) + 1).map {
      curve(Double(Float(bitPattern: $0 << Self.skipped)))
    }
  }

  func value(_ argument: Float) -> Double {
    let bits = min(max(argument, range.lowerBound), range.upperBound).bitPattern
    let entry = Int(bits >> Self.skipped - first)
    let rest = Double(bits & (1 << Self.skipped - 1)) / Double(1 << Self.skipped)
    return values[entry] + (values[entry + 1] - values[entry]) * rest
  }
}

/// Rows of an HDR image as the PU21-encoded luminance that the display shows, with the weights of BT.709.
final class PU21Rows {
  private let light: LinearRows
  private let scratch: RowSegment

  /// Nil for SDR images.
  init?(_ image: RasterImage, background: Background, segmentWidth: Int, kernels: MetricKernels) {
    let width = min(segmentWidth, image.width)
    guard case .light = image.profile,
      let light = try? LinearRows(image, background: background, segmentWidth: width, kernels: kernels)
    else { return nil }
    self.light = light
    scratch = RowSegment(width: width)
  }

  /// Writes `columns` of row `y`, multiplied by `scale`, minus `bias`.
  func read(row y: Int, _ columns: Range<Int>, scale: Float, bias: Float, to out: UnsafeMutablePointer<Float>)
  {
    light.read(row: y, columns: columns, into: scratch, at: 0)
    let (red, green, blue) = (scratch.plane(0), scratch.plane(1), scratch.plane(2))
    let white = Float(HDRLight.referenceWhite)
    for x in 0..<columns.count {
      let luminance = white * (0.212656 * red[x] + 0.715158 * green[x] + 0.072186 * blue[x])
      out[x] = PU21.encoded(luminance) * scale - bias
    }
  }
}
