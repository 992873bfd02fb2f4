import CMetricKernels
import Model
import Pixels

/// Rows of an image as planes of encoded values on an 8-bit scale (0 to 255), whatever the depth. Gray fills all three
/// planes.
final class EncodedRows: SampleRows {
  let width: Int
  let height: Int
  let planes = 3
  private let samples: SampleReader
  private let kernels: MetricKernels
  private let scale: Float

  /// Maps a full sample to `full`.
  init(_ image: RasterImage, background: Background, full: Float = 255, kernels: MetricKernels) {
    samples = SampleReader(image, background: background)
    self.kernels = kernels
    width = image.width
    height = image.height
    scale = full / Float(samples.maximum)
  }

  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    let out = segment.planes(from: offset)
    let colours = Int32(samples.colours)
    samples.withRun(row: y, columns: columns) { run in
      switch run {
      case .bytes(let bytes): kernels.widen8(bytes, columns.count, colours, scale, out)
      case .words(let words): kernels.widen16(words, columns.count, colours, scale, out)
      }
    }
  }
}
