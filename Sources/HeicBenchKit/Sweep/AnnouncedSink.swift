import Model
import Synchronization

/// Passes a sweep's records on, and does something once before the first of them.
final class AnnouncedSink: RecordSink {
  private let sink: any RecordSink
  private let announcement: Mutex<(() -> Void)?>

  /// Does `action` before the first record comes into `sink`.
  init(_ sink: any RecordSink, action: sending @escaping () -> Void) {
    self.sink = sink
    announcement = Mutex(action)
  }

  func append(_ record: SweepRecord) throws {
    announce()
    try sink.append(record)
  }

  /// Does it now unless it was done.
  func announce() {
    announcement.withLock { action in
      action?()
      action = nil
    }
  }
}
