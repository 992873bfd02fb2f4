import Synchronization

/// A flag that goes up once, for any thread to see.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  /// Whether it is up.
  var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Puts it up.
  func set() { flag.store(true, ordering: .releasing) }
}
