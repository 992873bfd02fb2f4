import Synchronization
import Workers

/// Work that a program requests: a value that is filled in and then run.
public protocol Request: Sendable {
  /// News of the work.
  associatedtype Event: Sendable
  /// The result of the work.
  associatedtype Outcome: Sendable

  /// Does the work; blocks the calling thread.
  /// - Parameters:
  ///   - cancellation: Stops the work early; finished results are kept.
  ///   - events: Receives progress, from several threads.
  /// - Throws: `HeicBenchError` if the request, its files or its folder cannot be used, or no worker can be started. A
  ///   failed point, read or picture is not an error.
  func run(cancellation: Cancellation, events: @escaping @Sendable (Event) -> Void) throws -> Outcome
}

extension Request {
  /// Does the work on a separate thread. Cancelling the task stops it early.
  /// - Parameter events: Receives progress, from several threads.
  /// - Throws: As ``run(cancellation:events:)`` does.
  public func run(events: @escaping @Sendable (Event) -> Void = { _ in }) async throws -> Outcome {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await onThread { try run(cancellation: cancellation, events: events) }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Work without progress that takes no new measurements: scores of files, reports, merges.
public protocol ShortRequest: Sendable {
  /// The result of the work.
  associatedtype Outcome: Sendable

  /// Does the work; blocks the calling thread.
  /// - Throws: `HeicBenchError` if the request, its files or its folder cannot be used.
  func run() throws -> Outcome
}

extension ShortRequest {
  /// Does the work on a separate thread.
  /// - Throws: As ``run()-(_)`` does.
  public func run() async throws -> Outcome { try await onThread { try run() } }
}

/// Runs blocking work on a separate thread, so that it does not occupy the threads of tasks.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    do {
      // The usual stack size of a main thread.
      try PlainThread.start(stackSize: 8 << 20) { continuation.resume(with: Result { try work() }) }
    } catch {
      continuation.resume(throwing: HeicBenchError(error) ?? error)
    }
  }
}

/// Progress of work that handles files one by one: reading, cutting, making thumbnails.
public enum JobEvent: Sendable, Hashable {
  /// The number of finished jobs; `total` is nil if unknown.
  case progress(done: Int, total: Int?)
  /// A file could not be processed.
  case failed(file: String, message: String)
  /// All work is done or was stopped.
  case ended
  /// A remark for readers of the results, as a sentence.
  case notice(String)
  /// The answer so far in a few words, for the progress line.
  case answer(String)
}

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

  /// True if `cancel` would stop something; steps that do not measure are not stopped halfway.
  package var hasAction: Bool { state.withLock { $0.action != nil } }

  /// Sets the action of `cancel`; calls it at once if `cancel` was called before.
  package func perform(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.action = action
      return state.isCancelled
    }
    if isLate { action() }
  }

  /// Drops the action and what it holds, such as the store, which closes when its last reference goes.
  package func release() { state.withLock { $0.action = nil } }
}
