import Foundation
import Model

/// An operation queue that reports a lack of threads.
///
/// Dispatch, which runs operation queues, retries for ever to start a missing thread, on the thread that adds the
/// operation. So threads are tried beforehand, operations are added by a thread that may wait for ever, and whoever
/// waits for the operations can see that they do not begin.
package final class WatchedQueue: Sendable {
  /// The state, which the adding thread may hold longer than the queue lives.
  private final class State: @unchecked Sendable {
    // Sendable because all mutable state is accessed only under `condition`.
    let condition = NSCondition()
    let queue = OperationQueue()
    var toAdd: [PointOperation] = []
    var pending = 0
    var running = 0
    var quietChecks = 0
    var isStalled = false
    var isClosed = false
  }

  /// Threads needed besides those of the operations: Dispatch's own, and the one that adds.
  private static let threadsBeside = 2
  /// The most checks in a row, about a second apart, that may find operations not begun. Checks are counted instead of
  /// seconds, so that a run stopped for a while does not give up when it continues.
  private static let quietChecksAtMost = 30

  private let state = State()

  /// A queue that runs `concurrency` operations at a time. Throws if the system does not give the threads.
  package init(concurrency: Int) throws(WorkerStartError) {
    state.queue.maxConcurrentOperationCount = concurrency
    try PlainThread.check(concurrency + Self.threadsBeside)
    try PlainThread.start { [state] in Self.add(state) }
  }

  deinit {
    state.condition.withLock {
      state.isClosed = true
      state.condition.broadcast()
    }
  }

  package func add(_ work: @escaping @Sendable () -> Void) {
    let operation = PointOperation { [state] in
      state.condition.withLock {
        state.pending -= 1
        state.running += 1
        state.quietChecks = 0
      }
      work()
      state.condition.withLock {
        state.running -= 1
        state.condition.broadcast()
      }
    }
    state.condition.withLock {
      state.pending += 1
      state.toAdd.append(operation)
      state.condition.broadcast()
    }
  }

  /// Throws if operations do not begin. Whoever waits calls it about once a second.
  package func check() throws(WorkerStartError) {
    let isStalled = state.condition.withLock {
      state.quietChecks = state.pending > 0 ? state.quietChecks + 1 : 0
      if state.quietChecks > Self.quietChecksAtMost { state.isStalled = true }
      return state.isStalled
    }
    if isStalled { throw WorkerStartError(refused: "start a thread", SystemError(code: EAGAIN)) }
  }

  /// Waits for all operations; throws if they do not begin.
  package func wait() throws(WorkerStartError) {
    while true {
      let isDone = state.condition.withLock {
        if state.pending + state.running > 0 {
          _ = state.condition.wait(until: Date(timeIntervalSinceNow: 1))
        }
        return state.pending + state.running == 0
      }
      if isDone { return }
      try check()
    }
  }

  /// Waits only for the operations that do begin.
  package func settle() {
    do { try wait() } catch {
      state.condition.withLock { while state.running > 0 { state.condition.wait() } }
    }
  }

  private static func add(_ state: State) {
    while true {
      let next: PointOperation? = state.condition.withLock {
        while state.toAdd.isEmpty, !state.isClosed { state.condition.wait() }
        return state.toAdd.isEmpty ? nil : state.toAdd.removeFirst()
      }
      guard let next else { return }
      state.queue.addOperation(next)
    }
  }
}

/// One point on the operation queue. Only slots are cancelled, never operations: each one runs, if only to report that
/// its slot is cancelled.
final class PointOperation: Operation, @unchecked Sendable {
  // Sendable because its own property never changes; the rest is Foundation's and safe.
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  override func main() { work() }
}
