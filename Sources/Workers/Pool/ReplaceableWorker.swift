import Foundation
import Model

/// A worker with one set of libraries: started on demand, replaced when lost or old. One operation at a time uses it;
/// `kill` and `cancel` may come from any thread.
final class ReplaceableWorker: @unchecked Sendable {
  // Sendable because `worker` and `isCancelled` are under `lock` and the rest belongs to the one operation.

  private(set) var started = 0
  private(set) var sandbox: SandboxStatus?
  var openImage: ImageIdentity?
  var encodes = 0

  private let launch: () throws -> WorkerLaunch
  private let renewAfter: Int
  private let lock = NSLock()
  private var worker: WorkerProcess?
  private var isCancelled = false

  private static let startsAtMost = 3

  init(renewAfter: Int, launch: @escaping () throws -> WorkerLaunch) {
    self.renewAfter = renewAfter
    self.launch = launch
  }

  var isReady: Bool { encodes < renewAfter && lock.withLock { worker != nil } }

  /// The worker, replaced if missing or old; nil once cancelled. Throws `WorkerStartError` if none can be started.
  func ready() throws -> WorkerProcess? {
    if encodes >= renewAfter { retire() }
    if let worker = lock.withLock({ isCancelled ? nil : worker }) { return worker }
    var startsLeft = Self.startsAtMost
    while true {
      startsLeft -= 1
      do { return try freshWorker() } catch let error as WorkerStartError {
        guard error.wasKilled, startsLeft > 0 else { throw error }
      }
    }
  }

  func retire() {
    let old = lock.withLock {
      defer { worker = nil }
      return worker
    }
    openImage = nil
    encodes = 0
    old?.kill()
  }

  func kill() { lock.withLock { worker?.kill() } }

  func cancel() {
    lock.withLock {
      isCancelled = true
      worker?.kill()
    }
  }

  private func freshWorker() throws -> WorkerProcess? {
    guard !lock.withLock({ isCancelled }) else { return nil }
    let fresh = try WorkerProcess(launch())
    started += 1
    // `cancel` must know it before it has begun, which may take a while on a busy machine.
    let isWanted = lock.withLock {
      if !isCancelled { worker = fresh }
      return !isCancelled
    }
    guard isWanted else { return nil }
    do { try fresh.begin() } catch {
      retire()
      // A kill before it was ready says nothing about the program.
      if lock.withLock({ isCancelled }) { return nil }
      throw error
    }
    sandbox = fresh.sandbox
    return fresh
  }
}
