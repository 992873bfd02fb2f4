import CMetricKernels
import Foundation
package import Model
import Pixels

/// PSNR of one error measure. For a lossy codec, the PSNR of colour measures the whole system, including chroma
/// upsampling.
struct PSNR: QualityMetric {
  let traits: MetricTraits
  let codecCompareName: String?
  let error: @Sendable (SquaredErrors.Result) -> Double

  /// PSNR of BT.601 full-range luma, computed from the encoded R, G and B without rounding, with peak 255.
  static let luma = PSNR(traits: .psnrLuma, codecCompareName: "psnr", error: \.luma)
  /// PSNR of encoded R, G and B together: the error is averaged over the three channels first.
  static let colour = PSNR(traits: .psnrColour, codecCompareName: nil, error: \.colour)
  /// PSNR of PU21-encoded luminance, with peak 256.
  static let pu21 = PSNR(traits: .pu21PSNR, codecCompareName: nil, error: \.luma)

  var rules: MetricRules {
    // 2³¹ pixels with one sample off by 1 in 65,535 have 195 dB; images that differ cannot have more.
    MetricRules(
      cap: 100, highestMeasured: 195, tolerance: Tolerance(0.2, otherVersions: 1),
      codecCompareName: codecCompareName)
  }

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(SquaredErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    Self.decibels(error(try comparison.result(of: SquaredErrors.self)))
  }

  /// The PSNR in decibels, 10·log10(255² / MSE), capped because JSON, CSV and SQLite cannot store the infinity of equal
  /// images. At least 0: PSNR-HVS weights some errors up, and HDR light exceeds PU21's peak.
  static func decibels(_ error: Double) -> Double {
    error > 0 ? min(100, max(0, 10 * log10(255 * 255 / error))) : 100
  }
}

extension MetricTraits {
  package static let psnrLuma = MetricTraits(
    id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 35, 40, 45], headline: 35, band: 30...45, lowest: 0, highest: 100))
  package static let psnrColour = MetricTraits(
    id: "psnr-rgb", column: "psnr_rgb_db", title: "PSNR-RGB", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 33, 36, 40], headline: 33, band: 30...40, lowest: 0, highest: 100))
  package static let pu21PSNR = MetricTraits(
    id: "pu21-psnr", column: "pu21_psnr_db", title: "PU21-PSNR", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 35, 40, 45], headline: 35, band: 30...45, lowest: 0, highest: 100))
}

/// Mean squared errors of encoded values on an 8-bit scale, over all pixels.
final class SquaredErrors: SharedStage {
  static let takesEncodedValues = true
  struct Result {
    /// The error of BT.601 full-range luma, without rounding, or of the values that `LumaRows` gives for HDR light.
    var luma: Double
    /// The error of R, G and B together; NaN for HDR light.
    var colour: Double
  }

  private static let segment = 1024

  private let reference: EncodedRows
  private let background: Background
  private let kernels: MetricKernels
  private let left: RowSegment
  private let right: RowSegment

  init(reference: RasterImage, background: Background, tuning: MetricTuning) {
    self.reference = EncodedRows(reference, background: background, kernels: tuning.kernels)
    self.background = background
    kernels = tuning.kernels
    let width = min(Self.segment, reference.width)
    left = RowSegment(width: width)
    right = RowSegment(width: width)
  }

  func compare(_ candidate: RasterImage) -> Result {
    if case .light = candidate.profile { return compareLight(candidate) }
    let rows = EncodedRows(candidate, background: background, kernels: kernels)
    var sums = [0.0, 0.0]
    let segments = tiles(of: rows.width, tileWidth: Self.segment)
    for y in 0..<rows.height {
      for columns in segments {
        reference.read(row: y, columns: columns, into: left, at: 0)
        rows.read(row: y, columns: columns, into: right, at: 0)
        kernels.squaredErrors(left.planes(), right.planes(), columns.count, &sums)
      }
    }
    let pixels = Double(candidate.pixelCount)
    return Result(luma: sums[0] / pixels, colour: sums[1] / (3 * pixels))
  }

  private func compareLight(_ candidate: RasterImage) -> Result {
    let rows = [reference.samples.image, candidate].map {
      LumaRows($0, background: background, segmentWidth: Self.segment, kernels: kernels)
    }
    var sum = 0.0
    for y in 0..<candidate.height {
      for columns in tiles(of: candidate.width, tileWidth: Self.segment) {
        rows[0].read(row: y, columns: columns, into: left, at: 0)
        rows[1].read(row: y, columns: columns, into: right, at: 0)
        for x in 0..<columns.count {
          let difference = Double(left.plane(0)[x] - right.plane(0)[x])
          sum += difference * difference
        }
      }
    }
    return Result(luma: sum / Double(candidate.pixelCount), colour: .nan)
  }
}
