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
    let all = count + Int(METRIC_SLACK)
    storage = .allocate(capacity: all)
    storage.initialize(repeating: 0, count: all)
  }

  deinit { storage.deallocate() }

  /// Zeroes every cell.
  func clear() { storage.update(repeating: 0, count: count) }

  /// The cell at an offset. The pointer must not outlive the buffer.
  func pointer(at offset: Int) -> UnsafeMutablePointer<Float> { storage + offset }
}
