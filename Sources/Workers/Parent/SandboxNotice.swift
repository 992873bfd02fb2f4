import Synchronization

/// Says, once in the life of a program, that its workers are not sandboxed.
package enum SandboxNotice {
  private static let listener = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Has `tell` told when the first worker begins that is not held as it should be, in a sentence without a full stop.
  package static func tell(_ tell: @escaping @Sendable (String) -> Void) { listener.withLock { $0 = tell } }

  /// Tells that workers are not held by these sandboxes.
  static func give(lacking: String) {
    let tell = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    tell?(
      "workers are not held by \(lacking), which this system does not give: a hostile image or library could do more "
        + "than fail. docs/security.md says what; --require-sandbox refuses to go on")
  }
}
