import CMetricKernels

/// The rows of windowed means that SSIM needs at a time, in a ring that is overwritten as it moves down.
final class RowRing {
  /// Planes that a row consists of: see `windowRow`.
  static let planes = 4

  /// Floats from one plane of a row to the next.
  let stride: Int
  private let length: Int
  private let rows: FloatBuffer
  private var window: [UnsafePointer<Float>] = []

  /// Makes a ring for a filter that reaches `radius` rows up and down, and tiles of up to `width` columns.
  init(width: Int, radius: Int) {
    stride = (width + 15) / 16 * 16
    length = 2 * radius + 1
    rows = FloatBuffer(count: stride * Self.planes * length)
    window.reserveCapacity(length)
  }

  /// Where the blurred row `y` is to be written.
  func slot(_ y: Int) -> UnsafeMutablePointer<Float> {
    rows.pointer(at: y % length * stride * Self.planes)
  }

  /// Hands over the rows around `y`, from the topmost down. All of them have been written.
  func withWindow(around y: Int, _ body: (UnsafePointer<UnsafePointer<Float>>) -> Void) {
    window.removeAll(keepingCapacity: true)
    let radius = length / 2
    for row in (y - radius)...(y + radius) { window.append(UnsafePointer(slot(row))) }
    window.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { body(base) }
    }
  }
}
