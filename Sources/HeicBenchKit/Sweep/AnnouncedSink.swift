import Model
import Synchronization

/// Forwards a sweep's records, and runs an action once before the first of them.
final class AnnouncedSink: RecordSink {
  private let sink: any RecordSink
  private let announcement: Mutex<(() -> Void)?>

  init(_ sink: any RecordSink, action: sending @escaping () -> Void) {
    self.sink = sink
    announcement = Mutex(action)
  }

  func append(_ record: SweepRecord) throws {
    announce()
    try sink.append(record)
  }

  func announce() {
    announcement.withLock { action in
      action?()
      action = nil
    }
  }
}
