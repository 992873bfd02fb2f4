import Model
import Synchronization

/// Writes image records: each goes to the sink once and before any of the image's points.
final class ImageRecordWriter: Sendable {
  /// Recorded images, by index; true if usable.
  private let recorded = Mutex<[Int: Bool]>([:])

  /// Appends the record unless the image already has one. Returns true if the recorded image is usable.
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
