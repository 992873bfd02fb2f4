import CMetricKernels
import Model
import Pixels

/// Rows of an image as BT.601 full-range luma on an 8-bit scale, not rounded, minus a bias that keeps products small.
final class LumaRows: SampleRows {
  /// The middle of the scale, subtracted from every sample.
  static let bias: Float = 127.5

  let width: Int
  let height: Int
  let planes = 1
  private let encoded: EncodedRows
  private let kernels: MetricKernels
  private let scratch: RowSegment

  /// Reads up to `segmentWidth` columns at a time.
  init(_ image: RasterImage, background: Background, segmentWidth: Int, kernels: MetricKernels) {
    encoded = EncodedRows(image, background: background, kernels: kernels)
    self.kernels = kernels
    width = image.width
    height = image.height
    scratch = RowSegment(width: min(segmentWidth, image.width))
  }

  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    encoded.read(row: y, columns: columns, into: scratch, at: 0)
    kernels.luma(scratch.planes(), columns.count, Self.bias, segment.plane(0) + offset)
  }
}
