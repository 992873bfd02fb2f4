import Foundation

/// The one thread that starts workers, alive as long as the program: Linux ends a worker when the *thread* that started
/// it ends, and the threads of a dispatch queue come and go.
final class SpawnThread: @unchecked Sendable {
  // Sendable because `waiting` is accessed only under `condition`.

  private static let own = Result { () throws(WorkerStartError) in try SpawnThread() }

  private let condition = NSCondition()
  private var waiting: [@Sendable () -> Void] = []

  /// The program's only instance. Throws if the system gave no thread for it.
  static func shared() throws(WorkerStartError) -> SpawnThread {
    try own.get()
  }

  private init() throws(WorkerStartError) {
    try PlainThread.start { [unowned self] in loop() }
  }

  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    let answer = Answer<Value>()
    condition.lock()
    waiting.append { answer.give(body()) }
    condition.signal()
    condition.unlock()
    return answer.take()
  }

  private func loop() {
    while true {
      condition.lock()
      while waiting.isEmpty { condition.wait() }
      let next = waiting.removeFirst()
      condition.unlock()
      next()
    }
  }

  private final class Answer<Value: Sendable>: @unchecked Sendable {
    // Sendable because `value` is written before the semaphore is signalled and read after.
    private let given = DispatchSemaphore(value: 0)
    private var value: Value?

    func give(_ value: Value) {
      self.value = value
      given.signal()
    }

    func take() -> Value {
      while true {
        given.wait()
        if let value { return value }
      }
    }
  }
}
