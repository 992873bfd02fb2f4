import Foundation
import Model

/// A worker with one set of libraries: started when it is needed, replaced when it is lost or grows old.
///
/// One operation at a time works with a seat; `cancel` may come from any thread.
final class WorkerSeat: @unchecked Sendable {
  // Sendable because `worker` and `isCancelled` are under `lock` and the rest belongs to the one operation.

  /// How many workers it has started.
  private(set) var started = 0
  /// What the kernel holds its worker with; nil before the first.
  private(set) var sandbox: SandboxStatus?
  /// The image that the worker has open.
  var openImage: ImageIdentity?
  /// Encodes that the worker has made.
  var encodes = 0

  private let launch: () throws -> WorkerLaunch
  private let renewAfter: Int
  private let lock = NSLock()
  private var worker: WorkerProcess?
  private var isCancelled = false

  /// How often a worker is started when others are killed before they are ready.
  private static let startsAtMost = 3

  /// A seat whose workers are started so, and replaced after so many encodes.
  init(renewAfter: Int, launch: @escaping () throws -> WorkerLaunch) {
    self.renewAfter = renewAfter
    self.launch = launch
  }

  /// The worker, a new one where there is none or it has grown old; nil once cancelled. Throws `WorkerStartError`
  /// when none can be started.
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

  /// Ends the worker, to be replaced when it is needed again.
  func retire() {
    let old = lock.withLock {
      defer { worker = nil }
      return worker
    }
    openImage = nil
    encodes = 0
    old?.kill()
  }

  /// Ends the worker and starts no other.
  func cancel() {
    lock.withLock {
      isCancelled = true
      worker?.kill()
    }
  }

  /// Starts a worker; nil once cancelled.
  private func freshWorker() throws -> WorkerProcess? {
    guard !lock.withLock({ isCancelled }) else { return nil }
    let fresh = try WorkerProcess(launch())
    started += 1
    // Known to `cancel` before it has begun, which may take a while on a busy machine.
    let isWanted = lock.withLock {
      if !isCancelled { worker = fresh }
      return !isCancelled
    }
    guard isWanted else { return nil }
    do { try fresh.begin() } catch {
      retire()
      // One that was killed before it was ready says nothing about the program.
      if lock.withLock({ isCancelled }) { return nil }
      throw error
    }
    sandbox = fresh.sandbox
    return fresh
  }
}
