import CMetricKernels

/// Zeroed floats at a stable address, so that kernels may take pointers into them.
final class FloatBuffer {
  /// The number of floats, slack excluded.
  let count: Int
  private let storage: UnsafeMutablePointer<Float>

  /// Allocates zeroed floats, followed by the slack that whole vectors need.
  init(count: Int) {
    self.count = count
    storage = metric_allocate(count + Int(METRIC_SLACK))
  }

  deinit { metric_free(storage) }

  func clear() { storage.update(repeating: 0, count: count) }

  /// The cell at an offset. The pointer must not outlive the buffer.
  func pointer(at offset: Int) -> UnsafeMutablePointer<Float> { storage + offset }
}
