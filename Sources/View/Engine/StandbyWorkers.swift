import Foundation
import Synchronization
import Workers

/// Workers kept ready, so that a killed one is replaced without a wait.
final class StandbyWorkers: @unchecked Sendable {
  // Sendable because all mutable state is accessed only under `condition`.

  /// Encodes after which a worker is replaced, since x265 leaks some 40 kB in each.
  private static let renewAfter = 200
  /// Seconds between attempts while no worker can be started.
  private static let pause = 1.0

  private let launch: WorkerLaunch
  private let size: Int
  private let onTrouble: @Sendable (String) -> Void
  private let condition = NSCondition()
  private var idle: [ViewWorker] = []
  private var lent = 0
  private var isClosed = false

  /// - Parameters:
  ///   - size: the number of workers kept, including those lent.
  ///   - onTrouble: receives the reason each time a worker cannot be started; further attempts follow.
  init(
    launch: WorkerLaunch, size: Int, onTrouble: @escaping @Sendable (String) -> Void
  ) throws(WorkerStartError) {
    (self.launch, self.size, self.onTrouble) = (launch, size, onTrouble)
    try PlainThread.start { [self] in replenish() }
  }

  /// A worker, as soon as there is one; nil once closed.
  func take() -> ViewWorker? {
    condition.withLock {
      while idle.isEmpty, !isClosed { condition.wait() }
      guard !isClosed else { return nil }
      lent += 1
      return idle.removeLast()
    }
  }

  /// Takes a worker back. One that was killed, died or has grown old is not kept.
  func giveBack(_ worker: ViewWorker) {
    let isKept = worker.isAlive && !worker.isCancelled && worker.encodes < Self.renewAfter
    if !isKept { worker.kill() }
    condition.withLock {
      lent -= 1
      if isKept, !isClosed { idle.append(worker) }
      condition.broadcast()
    }
  }

  /// Ends all idle workers and starts no more.
  func close() {
    let rest = condition.withLock {
      isClosed = true
      condition.broadcast()
      defer { idle = [] }
      return idle
    }
    for worker in rest { worker.kill() }
  }

  private func replenish() {
    while true {
      let isNeeded = condition.withLock {
        while idle.count + lent >= size, !isClosed { condition.wait() }
        return !isClosed
      }
      guard isNeeded else { return }
      do {
        let worker = try WorkerProcess(launch)
        try worker.begin()
        condition.withLock {
          if isClosed { worker.kill() } else { idle.insert(ViewWorker(worker), at: 0) }
          condition.broadcast()
        }
      } catch {
        onTrouble("no process for codecs can be started, trying again: \(error)")
        condition.withLock {
          if !isClosed { _ = condition.wait(until: Date(timeIntervalSinceNow: Self.pause)) }
        }
      }
    }
  }
}
