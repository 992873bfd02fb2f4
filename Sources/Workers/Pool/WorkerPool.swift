import Foundation
package import Model
import Synchronization

/// The way to a codec: a few worker processes within one sandbox and one memory budget. Sweeps, reads, tiles, thumbnails,
/// generations, pictures and scores hand jobs to a pool's sessions, a job at a time to each.
///
/// A job is a closure that gets a `WorkerSlot` and asks it as often as it likes. It runs as an operation of an operation
/// queue and may block its thread. Once the pool is cancelled, sessions answer `cancelled` to everything.
package final class WorkerPool: Sendable {
  /// The next step of an idle session.
  package enum Next<Value> {
    case job(@Sendable (WorkerSlot) throws -> Value)
    /// Memory is short, or a job has to wait for another: the session ends its workers until it gets a job.
    case wait
    /// The session keeps its workers: jobs that run may bring further ones for them.
    case nothing
  }

  package let sessions: [WorkerSlot]
  package let budget: MemoryBudget
  private let state = Mutex<(isCancelled: Bool, wake: (@Sendable () -> Void)?)>((false, nil))

  /// An idle pool: processes are started when the first job asks.
  /// - Parameters:
  ///   - standby: Sessions beside those that work at a time, to take the place of killed ones (see `serve`).
  ///   - preparation: The conversion of sources to the rasters that codecs get.
  ///   - metrics: The metrics of measurements and renderings, by identifier.
  ///   - bytesPerPixel: The expected memory of jobs per pixel.
  package init(
    _ configuration: RunnerConfiguration, preparation: Preparation, metrics: [String] = [],
    bytesPerPixel: Double = 40, standby: Int = 0
  ) {
    sessions = (0..<configuration.jobs + standby).map { _ in
      WorkerSlot(configuration, preparation: preparation, metrics: metrics)
    }
    budget = MemoryBudget(
      total: configuration.memoryBudget, bytesPerPixel: bytesPerPixel, workers: 1 + configuration.builds.count
    )
  }

  deinit { cancel() }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends all workers for good, even in an encode, and their jobs with them. May be called from any thread, repeatedly,
  /// and before jobs run.
  package func cancel() {
    let wake = state.withLock { state in
      state.isCancelled = true
      return state.wake
    }
    for session in sessions { session.cancel() }
    wake?()
  }

  /// Ends all workers, to be replaced on demand.
  package func retire() {
    for session in sessions { session.retire() }
  }

  /// Has sessions asked for jobs again that came from elsewhere. May be called from any thread.
  package func wake() { state.withLock { $0.wake }?() }

  /// Runs the jobs that `next` gives to idle sessions, until there are none and all have ended, or until the pool is
  /// cancelled. The calling thread blocks and makes all calls. An error ends the jobs, and the pool unless it stays open.
  /// - Parameters:
  ///   - count: The number of sessions that take part; nil for all.
  ///   - staysOpen: True to wait for jobs even if none is running.
  ///   - next: Gets an idle session's index and the number of running jobs.
  ///   - ended: Gets the index and the result of each job that has ended, even of those that end after a cancellation.
  ///   - patience: The most seconds to wait for a job's end.
  ///   - round: Called after jobs have ended, and when patience has.
  package func run<Value: Sendable>(
    on count: Int? = nil, staysOpen: Bool = false,
    next: (_ session: Int, _ running: Int) throws -> Next<Value>,
    ended: (_ session: Int, Value) throws -> Void, patience: () -> Double = { 1 }, round: () -> Void = {}
  ) throws {
    let count = count ?? sessions.count
    let queue = WatchedQueue<Value>(sessions: count)
    state.withLock { $0.wake = { queue.wake() } }
    defer { state.withLock { $0.wake = nil } }
    var (idle, running) = (Array(0..<count), 0)
    func finish(within seconds: Double) throws {
      for done in try queue.results(within: seconds) {
        running -= 1
        idle.append(done.session)
        try ended(done.session, done.result.get())
      }
    }
    do {
      while !isCancelled {
        // Those that have worked longest have most of their libraries loaded.
        idle.sort { sessions[$0].encodes > sessions[$1].encodes }
        idle = try idle.filter { index in
          switch try next(index, running) {
          case .job(let job):
            try queue.add(index) { [session = sessions[index]] in try job(session) }
            running += 1
            return false
          case .wait: sessions[index].retire()
          case .nothing: break
          }
          return true
        }
        guard running > 0 || staysOpen else { return }
        try finish(within: patience())
        round()
      }
      while running > 0 { try finish(within: 1) }
    } catch {
      if staysOpen { for session in sessions { session.interrupt() } } else { cancel() }
      queue.close()
      for session in sessions { session.resume() }
      throw error
    }
  }
}
