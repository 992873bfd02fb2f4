import Foundation
import Synchronization

/// The one thread that starts workers, alive as long as the program: Linux ends a worker when the *thread* that started
/// it ends, and the threads of a dispatch queue come and go.
final class SpawnThread: @unchecked Sendable {
  // Sendable because `waiting` is accessed only under `condition`.

  static let own = Mutex<SpawnThread?>(nil)

  private let condition = NSCondition()
  private var waiting: [@Sendable () -> Void] = []

  private init() throws(WorkerStartError) {
    try PlainThread.start { [unowned self] in
      while true { next()() }
    }
  }

  /// Runs `body` on the thread. Throws if the system refused the thread.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(WorkerStartError) -> Value
  {
    let thread = try started(in: own) { () throws(WorkerStartError) -> SpawnThread in try SpawnThread() }
    let promise = Promise<Value>()
    thread.condition.withLock {
      thread.waiting.append { promise.keep(body()) }
      thread.condition.signal()
    }
    return promise.value()
  }

  /// The thread, started on first use. A refusal is not kept, since the system may have room for the thread later.
  static func started(
    in own: borrowing Mutex<SpawnThread?>, by start: () throws(WorkerStartError) -> SpawnThread
  ) throws(WorkerStartError) -> SpawnThread {
    try own.withLock { (own) throws(WorkerStartError) -> SpawnThread in
      if let own { return own }
      let thread = try start()
      own = thread
      return thread
    }
  }

  private func next() -> @Sendable () -> Void {
    condition.withLock {
      while waiting.isEmpty { condition.wait() }
      return waiting.removeFirst()
    }
  }
}
