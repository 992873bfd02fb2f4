import CMetricKernels

/// Floats in memory that stays where it is, so that kernels may be handed pointers into it.
///
/// The memory is freed with the object. Cells start at 0.
final class FloatBuffer {
  /// How many floats there are, slack excluded.
  let count: Int
  private let storage: UnsafeMutablePointer<Float>

  /// Allocates zeroed floats, with the slack that whole vectors need behind the last one.
  init(count: Int) {
    self.count = count
    storage = metric_allocate(count + Int(METRIC_SLACK))
  }

  deinit { metric_free(storage) }

  /// Zeroes every cell.
  func clear() { storage.update(repeating: 0, count: count) }

  /// The cell at an offset. The pointer must not outlive the buffer.
  func pointer(at offset: Int) -> UnsafeMutablePointer<Float> { storage + offset }
}
