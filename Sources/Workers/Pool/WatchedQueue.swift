import Foundation
import Model

/// An operation queue that says so when the system gives it no threads.
///
/// Dispatch, on which operation queues run, tries for ever to start a thread where there is none to be had, on the
/// thread that adds the operation. So that many threads are tried beforehand, operations are added by a thread that
/// may wait for ever, and whoever waits for the operations can see that they do not begin.
package final class WatchedQueue: Sendable {
  /// The state, which the adding thread may keep for longer than anyone keeps the queue.
  private final class State: @unchecked Sendable {
    // Sendable because everything that changes is only touched under `condition`.
    let condition = NSCondition()
    let queue = OperationQueue()
    var toAdd: [PointOperation] = []
    var pending = 0
    var running = 0
    var quietChecks = 0
    var isStalled = false
    var isClosed = false
  }

  /// Threads that are needed beside those of the operations: Dispatch's own, and one that adds.
  private static let threadsBeside = 2
  /// How many checks in a row may find operations that have not begun, a second or so apart. Checks are counted and
  /// not seconds, so that a run that was stopped for a while does not give up when it goes on.
  private static let quietChecksAtMost = 30

  private let state = State()

  /// A queue that does so many operations at a time. Throws where the system does not give the threads.
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

  /// Adds an operation.
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

  /// To be called about once a second by whoever waits: throws when operations do not begin.
  package func check() throws(WorkerStartError) {
    let isStalled = state.condition.withLock {
      state.quietChecks = state.pending > 0 ? state.quietChecks + 1 : 0
      if state.quietChecks > Self.quietChecksAtMost { state.isStalled = true }
      return state.isStalled
    }
    if isStalled { throw WorkerStartError(refused: "start a thread", SystemError(code: EAGAIN)) }
  }

  /// Waits for all operations; throws when they do not begin.
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

  /// Waits for the operations that do begin.
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

/// One point on the operation queue: synchronous, done by the slot that it was made for. What is cancelled are
/// slots, not operations: each operation runs, if only to say that its slot is cancelled.
final class PointOperation: Operation, @unchecked Sendable {
  // Sendable because its own property never changes; the rest is Foundation's and safe.
  private let work: @Sendable () -> Void

  /// An operation that does `work`.
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  override func main() { work() }
}
