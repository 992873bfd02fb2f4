import Synchronization

/// A way to stop what runs, from any thread.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Makes one for one run.
  public init() {}

  /// Asks to stop. Workers are killed, even in the middle of an encode; what was measured is kept.
  public func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      return state.action
    }
    action?()
  }

  /// Whether something runs now that `cancel` stops; what does not measure is not stopped halfway.
  package var hasAction: Bool { state.withLock { $0.action != nil } }

  /// Calls `action` when asked to stop; at once when that was before.
  package func perform(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.action = action
      return state.isCancelled
    }
    if isLate { action() }
  }

  /// Lets go of what the last action holds on to, such as the store, which closes when nobody does.
  package func release() { state.withLock { $0.action = nil } }
}
