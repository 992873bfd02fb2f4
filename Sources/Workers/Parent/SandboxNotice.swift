import Synchronization

/// Warns once per program run that its workers are not fully sandboxed.
package enum SandboxNotice {
  private static let listener = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Sets the function that is called for the first worker that lacks part of its sandbox, with a sentence without a
  /// full stop.
  package static func tell(_ tell: @escaping @Sendable (String) -> Void) { listener.withLock { $0 = tell } }

  static func give(lacking: String) {
    let tell = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    tell?(
      "workers run without \(lacking), which this system does not offer, so a hostile image or library could do more "
        + "harm; see docs/security.md. With --require-sandbox, heicbench refuses to run")
  }
}
