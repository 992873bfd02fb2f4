import CMetricKernels
import Foundation
package import Model
import Pixels

/// ΔE_ITP, the colour difference on an HDR display (ITU-R BT.2124): a difference of about 1 is just visible under the
/// most critical adaptation. It has no spatial model, so it only checks colour and is not a headline metric.
struct ColourDifferenceITP: QualityMetric {
  let traits: MetricTraits
  private let figure: @Sendable (DifferencesITP.Result) -> Double

  /// The mean over all pixels.
  static let mean = ColourDifferenceITP(traits: .itpMean) { $0.mean }
  /// The difference that 95 % of the pixels do not exceed, interpolated between ranks.
  static let percentile95 = ColourDifferenceITP(traits: .itpPercentile95) { $0.percentile95 }

  private init(traits: MetricTraits, _ figure: @escaping @Sendable (DifferencesITP.Result) -> Double) {
    (self.traits, self.figure) = (traits, figure)
  }

  var rules: MetricRules { MetricRules(tolerance: Tolerance(0.2, otherVersions: 1)) }

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(DifferencesITP.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    figure(try comparison.result(of: DifferencesITP.self))
  }
}

extension MetricTraits {
  package static let itpMean = MetricTraits(
    id: "itp-mean", column: "delta_e_itp_mean", title: "ΔE ITP", higherIsBetter: false, decimals: 3,
    scale: Scale(targets: [1, 2, 4, 8], headline: 2, band: 1...8, lowest: 0))
  package static let itpPercentile95 = MetricTraits(
    id: "itp-p95", column: "delta_e_itp_p95", title: "ΔE ITP, 95th percentile", higherIsBetter: false,
    decimals: 3,
    scale: Scale(targets: [2, 4, 8, 16], headline: 4, band: 2...16, lowest: 0))
}

/// A colour as BT.2124 compares it: I, T (half of BT.2100's Cₜ) and P.
struct ColourITP {
  /// The ITP of linear sRGB, in units of HDR's reference white.
  static func itp(_ rgb: SIMD3<Float>) -> SIMD3<Double> {
    let lms = toLMS.0 * rgb.x + toLMS.1 * rgb.y + toLMS.2 * rgb.z
    let coded = SIMD3(pq.value(lms.x), pq.value(lms.y), pq.value(lms.z))
    return SIMD3(
      0.5 * (coded.x + coded.y), (coded * SIMD3(3305, -6806.5, 3501.5)).sum() / 4096,
      (coded * SIMD3(17933, -17390, -543)).sum() / 4096)
  }

  /// PQ of light in units of HDR's reference white, from less than a millionth of a cd/m² up.
  private static let pq = CurveTable(Float(0x1p-30)...Float(HDRLight.pqPeak / HDRLight.referenceWhite)) {
    TransferFunction.pq.encoded($0 * HDRLight.referenceWhite / HDRLight.pqPeak)
  }

  /// Columns of the matrix from linear sRGB over BT.2020 to LMS (BT.2100, table 7).
  private static let toLMS: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) = {
    let toBT2020 = HDRTransform.matrixFromSRGB(to: .bt2020)
    func column(_ bt2020: SIMD3<Double>) -> SIMD3<Float> {
      SIMD3<Float>(
        (SIMD3(1688, 683, 99) * bt2020.x + SIMD3(2146, 2951, 309) * bt2020.y + SIMD3(262, 462, 3688)
          * bt2020.z)
          / 4096)
    }
    return (column(toBT2020.0), column(toBT2020.1), column(toBT2020.2))
  }()
}

/// The differences of all pixels, 720·√(ΔI² + ΔT² + ΔP²) (BT.2124, equation 6).
final class DifferencesITP: SharedStage {
  struct Result {
    var mean: Double
    var percentile95: Double
  }

  private static let segment = 1024
  private let reference: LinearRows
  private let background: Background
  private let kernels: MetricKernels

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError) {
    self.background = background
    kernels = tuning.kernels
    self.reference = try LinearRows(
      reference, background: background, segmentWidth: Self.segment, kernels: kernels)
  }

  func compare(_ candidate: RasterImage) throws(MetricError) -> Result {
    let rows = try LinearRows(
      candidate, background: background, segmentWidth: Self.segment, kernels: kernels)
    let width = min(Self.segment, candidate.width)
    let (left, right) = (RowSegment(width: width), RowSegment(width: width))
    var differences: [Float] = []
    differences.reserveCapacity(candidate.pixelCount)
    var sum = 0.0
    for y in 0..<candidate.height {
      for columns in tiles(of: candidate.width, tileWidth: Self.segment) {
        reference.read(row: y, columns: columns, into: left, at: 0)
        rows.read(row: y, columns: columns, into: right, at: 0)
        for x in 0..<columns.count {
          let difference = Self.difference(ColourITP.itp(left.pixel(x)) - ColourITP.itp(right.pixel(x)))
          differences.append(Float(difference))
          sum += difference
        }
      }
    }
    return Result(
      mean: sum / Double(candidate.pixelCount), percentile95: Self.quantile(0.95, of: differences))
  }

  static func difference(_ change: SIMD3<Double>) -> Double {
    720 * (change * change).sum().squareRoot()
  }

  /// A quantile, linear between the two nearest ranks (Hyndman and Fan's type 7). Sorts only values with the same
  /// leading bits as those at the wanted ranks.
  static func quantile(_ share: Double, of values: [Float]) -> Double {
    let rank = share * Double(values.count - 1)
    let (low, rest) = (Int(rank), rank - rank.rounded(.down))
    var counts = [Int](repeating: 0, count: 1 << 16)
    for value in values { counts[Int(value.bitPattern >> 16)] += 1 }
    var (bin, below) = (0, 0)
    while below + counts[bin] <= low { (below, bin) = (below + counts[bin], bin + 1) }
    let upper = counts[bin] + below > low + 1 ? bin : counts[(bin + 1)...].firstIndex { $0 > 0 } ?? bin
    let near = values.filter { (bin...upper).contains(Int($0.bitPattern >> 16)) }.sorted()
    let (first, second) = (near[low - below], near[min(low - below + 1, near.count - 1)])
    return Double(first) + rest * Double(second - first)
  }
}

extension RowSegment {
  fileprivate func pixel(_ x: Int) -> SIMD3<Float> { SIMD3(plane(0)[x], plane(1)[x], plane(2)[x]) }
}
