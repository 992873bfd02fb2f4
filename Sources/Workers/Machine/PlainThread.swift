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
}
