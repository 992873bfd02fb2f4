import CProcessShim
import Foundation
import Model

/// A thread whose failure to start is an error. Foundation's threads and dispatch queues keep quiet about it, or
/// try again for ever.
package enum PlainThread {
  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread that nobody waits for.
  package static func start(
    stackSize: Int = 1 << 19, _ body: @escaping @Sendable () -> Void
  ) throws(WorkerStartError) {
    let box = Unmanaged.passRetained(Box(body))
    let refusal = hb_start_thread(
      stackSize,
      { pointer in if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body() } },
      box.toOpaque())
    guard refusal == 0 else {
      box.release()
      throw WorkerStartError(refused: "start a thread", SystemError(code: refusal))
    }
  }

  /// Throws unless so many threads can be had at the same time, with stacks as large as Dispatch's.
  package static func check(_ count: Int) throws(WorkerStartError) {
    let gate = Gate()
    defer { gate.openAndWait() }
    for _ in 0..<count {
      try start(stackSize: dispatchStack) { gate.pass() }
      gate.enter()
    }
  }

  private static let dispatchStack = 8 << 20

  /// Holds threads until all are there.
  private final class Gate: @unchecked Sendable {
    // Sendable because everything is only touched under `condition`.
    private let condition = NSCondition()
    private var isOpen = false
    private var inside = 0

    func enter() { condition.withLock { inside += 1 } }

    func pass() {
      condition.withLock {
        while !isOpen { condition.wait() }
        inside -= 1
        condition.broadcast()
      }
    }

    func openAndWait() {
      condition.withLock {
        isOpen = true
        condition.broadcast()
        while inside > 0 { condition.wait() }
      }
    }
  }

  /// Begins something on a thread of its own, and returns what waits for its end.
  package static func beside(_ body: @escaping @Sendable () -> Void) -> () -> Void {
    let work = Meanwhile(body)
    return { work.value() }
  }

  /// A value that a thread of its own makes, while the one that asked for it does something else.
  package final class Meanwhile<Value: Sendable>: @unchecked Sendable {
    // Sendable because the value is only touched under `condition`.
    private let condition = NSCondition()
    private let make: @Sendable () -> Value
    private var made: Value?
    private var isRunning = false

    /// Begins to make the value.
    package init(_ make: @escaping @Sendable () -> Value) {
      self.make = make
      // Where no thread can be had, the value is made when it is asked for.
      isRunning =
        (try? PlainThread.start(stackSize: PlainThread.dispatchStack) { [self] in keep(make()) }) != nil
    }

    /// The value, once it is there.
    package func value() -> Value {
      guard isRunning else { return make() }
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let made { return made }
        condition.wait()
      }
    }

    private func keep(_ value: Value) {
      condition.withLock {
        made = value
        condition.broadcast()
      }
    }
  }
}
