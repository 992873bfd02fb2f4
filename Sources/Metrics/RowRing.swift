import CMetricKernels

/// The blurred rows of one channel that a vertical filter needs at a time, in a ring that is overwritten as
/// the filter moves down. Rows outside the image are zeros.
final class RowRing {
  /// Planes that a blurred row consists of: see `blurRow4`.
  static let planes = 5

  /// Floats from one plane of a row to the next.
  let stride: Int
  private let length: Int
  private let rows: FloatBuffer
  private let zeros: FloatBuffer
  private var window: [UnsafePointer<Float>] = []

  /// Makes a ring for a filter that reaches `radius` rows up and down, and tiles of up to `width` columns.
  init(width: Int, radius: Int) {
    stride = (width + 15) / 16 * 16
    length = 2 * radius + 1
    rows = FloatBuffer(count: stride * Self.planes * length)
    zeros = FloatBuffer(count: stride * Self.planes)
    window.reserveCapacity(length)
  }

  /// Where the blurred row `y` is to be written.
  func slot(_ y: Int) -> UnsafeMutablePointer<Float> {
    rows.pointer(at: y % length * stride * Self.planes)
  }

  /// Hands over the rows around `y` of an image of `height` rows, from the topmost down.
  func withWindow(
    around y: Int, height: Int, _ body: (UnsafePointer<UnsafePointer<Float>>) -> Void
  ) {
    window.removeAll(keepingCapacity: true)
    let radius = length / 2
    for row in (y - radius)...(y + radius) {
      let inside = row >= 0 && row < height
      window.append(UnsafePointer(inside ? slot(row) : zeros.pointer(at: 0)))
    }
    window.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { body(base) }
    }
  }
}
