import CMetricKernels

/// An image as planes of floats, row by row with the planes of a row next to each other, and a margin of zeros around
/// each row that filters may read.
final class PlanarImage {
  /// The number of zeros to the left of every row; there are at least as many to the right.
  static let margin = 16

  let width: Int
  let height: Int
  /// 1 to 3.
  let planes: Int
  /// The number of floats from one plane's row to the next.
  let stride: Int
  private let buffer: FloatBuffer

  init(width: Int, height: Int, planes: Int) {
    self.width = width
    self.height = height
    self.planes = planes
    stride = (width + 15) / 16 * 16 + 2 * Self.margin
    buffer = FloatBuffer(count: stride * planes * height)
  }

  /// The first sample of a plane's row. The pointer must not outlive the image.
  func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    buffer.pointer(at: (y * planes + plane) * stride + Self.margin)
  }
}

/// The sizes of an image and its halvings, rounded up each time.
func halvings(width: Int, height: Int, count: Int) -> [(width: Int, height: Int)] {
  var sizes: [(width: Int, height: Int)] = []
  var size = (width: width, height: height)
  for _ in 0..<count {
    sizes.append(size)
    size = ((size.width + 1) / 2, (size.height + 1) / 2)
  }
  return sizes
}

/// Zeroed floats at a stable address, so that kernels may use pointers into them.
final class FloatBuffer {
  /// The number of floats, excluding slack.
  let count: Int
  private let storage: UnsafeMutablePointer<Float>

  /// Allocates zeroed floats followed by the slack that whole vectors need.
  init(count: Int) {
    self.count = count
    storage = metric_allocate(count + Int(METRIC_SLACK))
  }

  deinit { metric_free(storage) }

  func clear() { storage.update(repeating: 0, count: count) }

  /// The cell at an offset. The pointer must not outlive the buffer.
  func pointer(at offset: Int) -> UnsafeMutablePointer<Float> { storage + offset }
}
