import Model
import Synchronization

/// Writer of image records: each goes to the sink once, and before any of the image's points, whichever worker opened it
/// first.
final class ImageRecordWriter: Sendable {
  /// Whether each recorded image can be used.
  private let recorded = Mutex<[Int: Bool]>([:])

  /// Appends the record unless there is one of this image already. Returns whether the image can be used
  /// according to the one that is in the sink.
  @discardableResult
  func record(_ record: ImageRecord, index: Int, in sink: any RecordSink) throws -> Bool {
    // Under the lock, so that a second worker's point cannot overtake the first worker's record.
    try recorded.withLock { recorded in
      if let isUsable = recorded[index] { return isUsable }
      try sink.append(.image(record))
      recorded[index] = record.problem == nil
      return record.problem == nil
    }
  }
}
