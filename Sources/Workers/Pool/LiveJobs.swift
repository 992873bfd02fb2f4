import Foundation
import Synchronization

/// Work that may arrive at any time, be overtaken by more urgent work, and be dropped.
package struct LiveJob<Purpose: Sendable & Equatable>: Sendable {
  package var purpose: Purpose
  package var build: String?
  /// The order of waiting jobs: lowest first, then oldest.
  package var priority: Int
  /// True for work that runs beside other work and never takes its place.
  package var isBackground: Bool
  package var work: @Sendable (WorkerSlot) -> Void

  package init(
    _ purpose: Purpose, build: String?, priority: Int, isBackground: Bool,
    work: @escaping @Sendable (WorkerSlot) -> Void
  ) {
    (self.purpose, self.build, self.priority) = (purpose, build, priority)
    (self.isBackground, self.work) = (isBackground, work)
  }
}

package final class LiveJobs<Purpose: Sendable & Equatable>: Sendable {
  package typealias Job = LiveJob<Purpose>

  private struct State {
    var waiting: [Job] = []
    var running: [Int: (job: Job, session: WorkerSlot)] = [:]
    var begun = 0
    var killed = 0
    var builds: [String?] = [nil]
  }

  /// Milliseconds for which dropped work may continue: less than a new worker takes to start, and enough for a JPEG
  /// tile.
  private static var grace: Int { 20 }

  private let state = Mutex(State())
  private let pool: WorkerPool
  private let lanes: Int

  /// - Parameter lanes: The number of jobs at a time; one background job may run in addition.
  package init(_ pool: WorkerPool, lanes: Int) { (self.pool, self.lanes) = (pool, lanes) }

  package var killed: Int { state.withLock { $0.killed } }

  package func add(_ jobs: [Job]) {
    state.withLock { state in
      state.waiting += jobs
      for job in jobs where !state.builds.contains(job.build) { state.builds.append(job.build) }
    }
    pool.wake()
  }

  /// True if work for a purpose waits or runs; a job whose workers were killed does it no more.
  package func has(_ purpose: Purpose) -> Bool {
    state.withLock { state in
      state.waiting.contains { $0.purpose == purpose }
        || state.running.values.contains { $0.job.purpose == purpose && !$0.session.cancelled }
    }
  }

  /// Drops work for good, whatever is requested later: the workers of running jobs are killed at once.
  package func end(where isStale: (Purpose) -> Bool) {
    state.withLock { state in
      state.waiting.removeAll { isStale($0.purpose) }
      for (job, session) in state.running.values where isStale(job.purpose) {
        session.interrupt()
        state.killed += 1
      }
    }
  }

  /// Drops work: removes waiting jobs at once, and kills the workers of running ones that are still stale after the
  /// grace period.
  package func drop(where isStale: @escaping @Sendable (Purpose) -> Bool) {
    let stale = state.withLock { state in
      state.waiting.removeAll { isStale($0.purpose) }
      return state.running.filter { isStale($0.value.job.purpose) }.keys
    }
    guard !stale.isEmpty else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.grace)) { [self] in
      state.withLock { state in
        for run in stale {
          guard let (job, session) = state.running[run], isStale(job.purpose) else { continue }
          session.interrupt()
          state.killed += 1
        }
      }
    }
  }

  fileprivate func next(for session: WorkerSlot) -> (@Sendable (WorkerSlot) -> Void)? {
    state.withLock { state in
      let background = state.running.values.count { $0.job.isBackground }
      let isFull = [false: state.running.count - background >= lanes, true: background > 0]
      let fitting = state.waiting.indices.filter { index in
        let job = state.waiting[index]
        return isFull[job.isBackground] == false && session.isReady(job.build)
      }
      guard let first = fitting.min(by: { state.waiting[$0].priority < state.waiting[$1].priority }) else {
        return nil
      }
      let job = state.waiting.remove(at: first)
      state.begun += 1
      state.running[state.begun] = (job, session)
      return { [self, run = state.begun] session in
        job.work(session)
        self.state.withLock { $0.running[run] = nil }
        // From here on nothing interrupts the session.
        session.resume()
      }
    }
  }

  /// Puts jobs that got no thread back in the queue; all others have ended.
  fileprivate func putBack() {
    state.withLock { state in
      state.waiting += state.running.values.map(\.job)
      state.running = [:]
    }
  }

  fileprivate var builds: [String?] { state.withLock { $0.builds } }
}

extension WorkerPool {
  /// Seconds between attempts while no worker can be started.
  private static var pause: Double { 1 }

  /// Runs jobs as they arrive, the most urgent first, until the pool is cancelled. Workers are started ahead, one at a
  /// time, so that a session whose worker was killed or has reached its age limit gets a ready one without waiting.
  /// - Parameter onTrouble: Receives the reason each time a worker or thread cannot be started; further attempts follow.
  package func serve<Purpose>(_ jobs: LiveJobs<Purpose>, onTrouble: (String) -> Void) {
    func tell(_ error: any Error) {
      onTrouble("cannot start a codec process, trying again: \(error)")
    }
    while !isCancelled {
      do { try serve(jobs, onTrouble: tell) } catch {
        jobs.putBack()
        tell(error)
        Thread.sleep(forTimeInterval: Self.pause)
      }
    }
  }

  private func serve<Purpose>(_ jobs: LiveJobs<Purpose>, onTrouble: (any Error) -> Void) throws {
    var (isStarting, nextStart) = (false, MonotonicClock.now())
    try run(staysOpen: true) { index, _ -> Next<Result<Bool, any Error>> in
      let session = sessions[index]
      if let work = jobs.next(for: session) {
        return .job { session in
          work(session)
          return .success(false)
        }
      }
      guard !isStarting, MonotonicClock.now() >= nextStart,
        let build = jobs.builds.first(where: { !session.isReady($0) })
      else { return .nothing }
      isStarting = true
      return .job { session in Result { try session.start(build) }.map { true } }
    } ended: { _, result in
      switch result {
      case .success(let isStart): if isStart { isStarting = false }
      case .failure(let error):
        isStarting = false
        nextStart = MonotonicClock.now() + Int64(Self.pause * 1e9)
        onTrouble(error)
      }
    }
  }
}
