import Foundation
import Model

/// Jobs of a pool's sessions as operations. One thread waits for their results and notices a lack of threads.
///
/// Dispatch, which runs operation queues, retries forever to start a missing thread, on the thread that adds the
/// operation. So threads are tried beforehand, operations are added by a thread that may wait forever, and the thread
/// that waits for the results notices if operations do not begin.
final class WatchedQueue<Value: Sendable>: Sendable {
  typealias Done = (session: Int, result: Result<Value, any Error>)

  /// The state, which the adding thread may hold longer than the queue lives.
  private final class State: @unchecked Sendable {
    // Sendable because all mutable state is accessed only under `condition`.
    let condition = NSCondition()
    /// A serial queue for each session gets its thread at once. A concurrent queue gets only as many as there are
    /// cores, and more a second later.
    let queues: [(dispatch: DispatchQueue, operations: OperationQueue)]
    var hasThreads = false
    var toAdd: [(session: Int, work: @Sendable () -> Void)] = []
    var pending = 0
    var running = 0
    var results: [Done] = []
    var isAwake = false
    var quietChecks = 0
    var isClosed = false

    init(_ sessions: Int) {
      queues = (0..<sessions).map { _ in
        let queue = (dispatch: DispatchQueue(label: "session"), operations: OperationQueue())
        queue.operations.underlyingQueue = queue.dispatch
        queue.operations.maxConcurrentOperationCount = 1
        return queue
      }
    }

    var isStalled: Bool { quietChecks > WatchedQueue.quietChecksAtMost }

    /// Waits for a signal; counts and returns false if none came in time. Called under `condition`.
    func wait(until end: Date) -> Bool {
      if condition.wait(until: end) { return true }
      if !isStalled { quietChecks = pending > 0 ? quietChecks + 1 : 0 }
      return false
    }
  }

  /// Threads needed besides those of the operations: Dispatch's own, and the one that adds.
  private static var threadsBeside: Int { 2 }
  /// The most waits in a row, about a second each, in which no operation begins. Counting waits instead of seconds
  /// keeps a run that was stopped for a while from giving up when it continues.
  private static var quietChecksAtMost: Int { 30 }

  private let state: State

  init(sessions: Int) { state = State(sessions) }

  deinit { close() }

  /// Runs a session's job, one at a time per session. Throws if the system does not provide the threads.
  func add(_ session: Int, _ job: @escaping @Sendable () throws -> Value) throws(WorkerStartError) {
    if !state.condition.withLock({ state.hasThreads }) {
      try PlainThread.check(state.queues.count + Self.threadsBeside)
      try PlainThread.start { [state] in Self.add(state) }
    }
    // Only sessions are cancelled, never operations: each one runs, if only to report that its session is cancelled.
    let work = { @Sendable [state] in
      let isLate = state.condition.withLock {
        state.pending -= 1
        state.quietChecks = 0
        if !state.isClosed { state.running += 1 }
        return state.isClosed
      }
      if isLate { return }
      let result = Result { try job() }
      state.condition.withLock {
        state.running -= 1
        state.results.append((session, result))
        state.condition.broadcast()
      }
    }
    state.condition.withLock {
      state.hasThreads = true
      state.pending += 1
      state.toAdd.append((session, work))
      state.condition.broadcast()
    }
  }

  func wake() {
    state.condition.withLock {
      state.isAwake = true
      state.condition.broadcast()
    }
  }

  /// All results; waits up to `seconds` for the first. Throws if operations do not begin.
  func results(within seconds: Double) throws(WorkerStartError) -> [Done] {
    let (results, isStalled) = state.condition.withLock {
      let end = Date(timeIntervalSinceNow: seconds)
      while state.results.isEmpty, !state.isAwake, !state.isStalled, state.wait(until: end) {}
      state.isAwake = false
      defer { state.results = [] }
      return (state.results, state.isStalled)
    }
    guard !isStalled else { throw WorkerStartError(refused: "start a thread", SystemError(code: EAGAIN)) }
    return results
  }

  /// Waits for all operations that begin; those that are late do nothing.
  func close() {
    state.condition.withLock {
      while state.running > 0 || (state.pending > 0 && !state.isStalled) {
        _ = state.wait(until: Date(timeIntervalSinceNow: 1))
      }
      state.isClosed = true
      state.condition.broadcast()
    }
  }

  private static func add(_ state: State) {
    while true {
      let next = state.condition.withLock {
        while state.toAdd.isEmpty, !state.isClosed { state.condition.wait() }
        return state.toAdd.isEmpty ? nil : state.toAdd.removeFirst()
      }
      guard let next else { return }
      state.queues[next.session].operations.addOperation(next.work)
    }
  }
}
