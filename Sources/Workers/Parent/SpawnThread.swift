import Foundation

/// The one thread that starts workers, alive as long as the program: Linux ends a worker when the *thread* that started
/// it ends, and the threads of a dispatch queue come and go.
final class SpawnThread: @unchecked Sendable {
  // Sendable because `waiting` is accessed only under `condition`.

  private static let own = Result { () throws(WorkerStartError) in try SpawnThread() }

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
    let (thread, promise) = (try own.get(), Promise<Value>())
    thread.condition.withLock {
      thread.waiting.append { promise.keep(body()) }
      thread.condition.signal()
    }
    return promise.value()
  }

  private func next() -> @Sendable () -> Void {
    condition.withLock {
      while waiting.isEmpty { condition.wait() }
      return waiting.removeFirst()
    }
  }
}
