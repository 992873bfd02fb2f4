import CProcessShim
import Foundation
import Model
import Synchronization

/// A thread whose failure to start is an error. Foundation and Dispatch report nothing or retry forever.
package enum PlainThread {
  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

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

  /// Throws unless `count` threads, with stacks as large as Dispatch's, can run at the same time.
  package static func check(_ count: Int) throws(WorkerStartError) {
    let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var started = 0
    defer {
      for _ in 0..<started { gate.signal() }
      for _ in 0..<started { ended.wait() }
    }
    for _ in 0..<count {
      try start(stackSize: dispatchStack) {
        gate.wait()
        ended.signal()
      }
      started += 1
    }
  }

  private static let dispatchStack = 8 << 20

  /// Starts `body` on a new thread and returns a closure that waits for its end.
  package static func beside(_ body: @escaping @Sendable () -> Void) -> () -> Void {
    let work = Meanwhile(body)
    return { work.value() }
  }

  /// A value computed on a new thread while its consumer does something else.
  package final class Meanwhile<Value: Sendable>: Sendable {
    private let promise = Promise<Value>()

    package init(_ make: @escaping @Sendable () -> Value) {
      do {
        try PlainThread.start(stackSize: PlainThread.dispatchStack) { [promise] in promise.keep(make()) }
      } catch {
        promise.keep(make())
      }
    }

    package func value() -> Value { promise.value() }
  }
}

/// A value that one thread makes and others wait for.
final class Promise<Value: Sendable>: @unchecked Sendable {
  // Sendable because the value is accessed only under `condition`.
  private let condition = NSCondition()
  private var kept: Value?

  func keep(_ value: Value) {
    condition.withLock {
      kept = value
      condition.broadcast()
    }
  }

  func value() -> Value {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let kept { return kept }
      condition.wait()
    }
  }
}

extension PlainThread {
  /// Computes values on `threads` threads, including this one; the first error ends it. Does not use Dispatch, whose
  /// system calls the sandbox refuses.
  package static func values<Value: Sendable, Problem: Error>(
    _ count: Int, by threads: Int, _ make: @escaping @Sendable (Int) throws(Problem) -> Value
  ) throws(Problem) -> [Value] {
    let work = SharedWork<Value, Problem>(count)
    let others = (1..<max(min(threads, count), 1)).map { _ in Meanwhile { work.run(make) } }
    work.run(make)
    for other in others { other.value() }
    return try work.values()
  }

  private final class SharedWork<Value: Sendable, Problem: Error>: Sendable {
    private struct State {
      var next = 0
      var made: [Int: Value] = [:]
      var problem: Problem?
    }

    private let count: Int
    private let state = Mutex(State())

    init(_ count: Int) { self.count = count }

    func run(_ make: (Int) throws(Problem) -> Value) {
      while let index = take() {
        do throws(Problem) {
          let value = try make(index)
          state.withLock { $0.made[index] = value }
        } catch {
          state.withLock { $0.problem = $0.problem ?? error }
        }
      }
    }

    func values() throws(Problem) -> [Value] {
      let (made, problem) = state.withLock { ($0.made, $0.problem) }
      if let problem { throw problem }
      return made.sorted { $0.key < $1.key }.map(\.value)
    }

    private func take() -> Int? {
      state.withLock { state in
        guard state.next < count, state.problem == nil else { return nil }
        state.next += 1
        return state.next - 1
      }
    }
  }
}
