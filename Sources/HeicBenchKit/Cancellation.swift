import Synchronization

/// A handle that stops a run from any thread.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Creates a handle for one run.
  public init() {}

  /// Requests a stop. Workers are killed, even in the middle of an encode; measured results are kept.
  public func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      return state.action
    }
    action?()
  }

  /// True if something runs that `cancel` stops; steps that do not measure are not stopped halfway.
  package var hasAction: Bool { state.withLock { $0.action != nil } }

  /// Sets the action of `cancel`; calls it at once if `cancel` was called before.
  package func perform(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.action = action
      return state.isCancelled
    }
    if isLate { action() }
  }

  /// Drops the action and what it holds, such as the store, which closes with its last reference.
  package func release() { state.withLock { $0.action = nil } }
}
