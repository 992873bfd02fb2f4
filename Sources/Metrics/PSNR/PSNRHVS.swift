import CMetricKernels
package import Model
import Pixels

/// PSNR-HVS-M (Ponomarenko, Silvestri, Egiazarian, Carli, Astola, Lukin, VPQM 2007) as in Xiph's implementation,
/// libvmaf's `psnr_hvs`: errors of DCT coefficients weighted by the eye's sensitivity, minus what the block's contrast
/// masks, over 0.8 Y + 0.1 Cb + 0.1 Cr at 8 bits, BT.601 full range, without chroma subsampling.
struct PSNRHVS: QualityMetric {
  let traits = MetricTraits.psnrHVS
  let rules = MetricRules(
    cap: 100, highestMeasured: 195, tolerance: Tolerance(0.2, otherVersions: 1), isOnRequest: true)

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(ContrastErrors.self)
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    PSNR.decibels(try comparison.result(of: ContrastErrors.self))
  }
}

extension MetricTraits {
  package static let psnrHVS = MetricTraits(
    id: "psnr-hvs", column: "psnr_hvs_db", title: "PSNR-HVS", unit: "dB", decimals: 3, minimumSide: 8,
    scale: Scale(targets: [35, 40, 45, 50], headline: 40, band: 35...50, lowest: 0, highest: 100))
}

/// The mean squared error of PSNR-HVS over blocks of 8 × 8 pixels in steps of 7.
final class ContrastErrors: SharedStage {
  static let takesEncodedValues = true
  private static let (side, step) = (8, 7)
  /// The number of adjacent blocks to process at once, a multiple of the lanes of every vector type.
  private static let most = 144

  private let reference: EncodedRows
  private let background: Background
  private let kernels: MetricKernels
  private let left: [RowSegment]
  private let right: [RowSegment]

  init(reference: RasterImage, background: Background, tuning: MetricTuning) {
    self.reference = EncodedRows(reference, background: background, kernels: tuning.kernels)
    (self.background, kernels) = (background, tuning.kernels)
    let width = Self.step * Self.most + 1 + Int(METRIC_BLOCK_SLACK)
    left = (0..<Self.side).map { _ in RowSegment(width: width) }
    right = (0..<Self.side).map { _ in RowSegment(width: width) }
  }

  func compare(_ candidate: RasterImage) -> Double {
    let rows = EncodedRows(candidate, background: background, kernels: kernels)
    let (a, b) = (left.map { $0.planes() }, right.map { $0.planes() })
    let (across, down) = (Self.blocks(rows.width), Self.blocks(rows.height))
    var sums = [0.0, 0.0, 0.0]
    for first in stride(from: 0, to: across, by: Self.most) {
      let blocks = min(Self.most, across - first)
      let columns = (Self.step * first)..<(Self.step * (first + blocks) + 1)
      for row in 0..<down {
        for line in 0..<Self.side {
          read(reference, row: Self.step * row + line, columns, into: left[line])
          read(rows, row: Self.step * row + line, columns, into: right[line])
        }
        kernels.contrastErrors(a, b, blocks, &sums)
      }
    }
    let coefficients = Double(across * down * Self.side * Self.side)
    return (0.8 * sums[0] + 0.1 * (sums[1] + sums[2])) / coefficients
  }

  private static func blocks(_ side: Int) -> Int { (side - Self.side) / step + 1 }

  private func read(_ rows: EncodedRows, row y: Int, _ columns: Range<Int>, into segment: RowSegment) {
    rows.read(row: y, columns: columns, into: segment, at: 0)
    kernels.roundedYCbCr(segment.planes(), columns.count, segment.planes())
  }
}
