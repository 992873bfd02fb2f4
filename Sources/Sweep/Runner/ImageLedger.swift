import BenchModel
import Synchronization

/// Sees to it that an image's record is in the sink once, and before any of its points, whichever worker opened
/// it first.
final class ImageLedger: Sendable {
  private let recorded = Mutex<Set<Int>>([])

  /// Appends the record unless there is one of this image already. Returns whether it did.
  @discardableResult
  func record(_ record: ImageRecord, index: Int, in sink: any RecordSink) throws -> Bool {
    // Under the lock, so that a second worker's point cannot overtake the first worker's record.
    try recorded.withLock { recorded in
      guard !recorded.contains(index) else { return false }
      try sink.append(.image(record))
      recorded.insert(index)
      return true
    }
  }
}
