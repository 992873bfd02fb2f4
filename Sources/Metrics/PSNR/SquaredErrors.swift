import CMetricKernels
import Foundation
import Model
import Pixels

/// Mean squared errors of encoded values on an 8-bit scale, over all pixels.
final class SquaredErrors: SharedStage {
  struct Result {
    /// Of BT.601 full-range luma, not rounded.
    var luma: Double
    /// Of R, G and B together.
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
}

/// Decibels of 2³¹ pixels with one sample off by 1 in 65,535: images that differ have no more.
let highestPeakSignalToNoise = 195.0

/// Peak signal-to-noise ratio in decibels, 10·log10(255² / MSE), capped at 100 dB: JSON, CSV and SQLite cannot hold the
/// infinity of equal images.
func peakSignalToNoise(meanSquaredError: Double) -> Double {
  guard meanSquaredError > 0 else { return 100 }
  return min(100, 10 * log10(255 * 255 / meanSquaredError))
}
