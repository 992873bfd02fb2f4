import CMetricKernels
import Pixels

/// Rows of an image on an 8-bit scale without rounding, minus a bias that keeps products small: BT.601 full-range luma,
/// or PU21-encoded luminance for HDR light.
final class LumaRows: SampleRows {
  /// The middle of the scale, subtracted from every sample.
  static let bias: Float = 127.5
  /// The peak of the scale.
  static let full = 255.0

  var width: Int { encoded.width }
  var height: Int { encoded.height }
  let planes = 1
  private let encoded: EncodedRows
  private let light: PU21Rows?
  private let kernels: MetricKernels
  private let scratch: RowSegment

  /// Reads up to `segmentWidth` columns at a time.
  init(_ image: RasterImage, background: Background, segmentWidth: Int, kernels: MetricKernels) {
    encoded = EncodedRows(image, background: background, kernels: kernels)
    light = PU21Rows(image, background: background, segmentWidth: segmentWidth, kernels: kernels)
    self.kernels = kernels
    scratch = RowSegment(width: min(segmentWidth, image.width))
  }

  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    if let light {
      let scale = Float(Self.full / PU21.peak)
      return light.read(row: y, columns, scale: scale, bias: Self.bias, to: segment.plane(0) + offset)
    }
    encoded.read(row: y, columns: columns, into: scratch, at: 0)
    kernels.luma(scratch.planes(), columns.count, Self.bias, segment.plane(0) + offset)
  }
}

/// The latest rows of luma, as many as SSIM's windows for four rows cover.
final class LumaRing {
  /// The number of rows of windows processed together.
  static let outputs = Int(METRIC_ROWS)

  private let rows: [RowSegment]
  private var window: [UnsafePointer<Float>] = []

  init(width: Int) {
    // At least as many rows as the window covers; a power of two makes the ring's index cheap.
    rows = (0..<16).map { _ in RowSegment(width: width) }
    window.reserveCapacity(Int(METRIC_WINDOW_ROWS))
  }

  /// The buffer for row `y`, which stays valid for 16 rows.
  func segment(_ y: Int) -> RowSegment { rows[y % rows.count] }

  /// Passes on the rows that windows cover, from row `top` on, at a column of the tile. Rows after `last` have not been
  /// read: `last` is used instead, and their results do not count.
  func withWindow(
    from top: Int, last: Int, column: Int, _ body: (UnsafePointer<UnsafePointer<Float>>) -> Void
  ) {
    window.removeAll(keepingCapacity: true)
    for y in top..<(top + Int(METRIC_WINDOW_ROWS)) {
      window.append(UnsafePointer(segment(min(y, last)).plane(0) + column))
    }
    window.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { body(base) }
    }
  }
}
