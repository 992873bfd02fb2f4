import Foundation
import Model
import Workers

struct ViewJob: Sendable {
  /// The order of waiting jobs: the lowest first, then the oldest.
  enum Priority: Int, Comparable {
    case shown, visible, whole, rest, neighbour, thumbnail

    static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }

    /// True for work done beside, and never instead of, the work for the two sides.
    var isBackground: Bool { self >= .neighbour }
  }

  var purpose: Purpose
  /// The build of the worker's libraries; nil for the system's.
  var build: String?
  var priority: Priority
  /// Asks the worker step by step and ends early if an answer fails.
  var work: @Sendable (ViewWorker) -> Void
}

final class ViewWorker: @unchecked Sendable {
  // Sendable because `isKilled` is under `lock` and the rest belongs to the lane that does the job.
  private let worker: WorkerProcess
  private let lock = NSLock()
  private var isKilled = false
  /// Encodes so far.
  private(set) var encodes = 0
  /// False once an answer has failed to come.
  private(set) var isAlive = true

  init(_ worker: WorkerProcess) { self.worker = worker }

  /// True if its job was dropped; failures are then not reported.
  var isCancelled: Bool { lock.withLock { isKilled } }

  /// Asks and waits for the answer. Throws the worker's failure, or the reason that it is gone.
  func ask<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], within seconds: Double
  ) throws(Failure) -> (answer: Asked.Answer, attachment: [UInt8]) {
    if question is EncodeSamples { encodes += 1 }
    let found: (outcome: Outcome<Asked.Answer>, attachment: [UInt8])
    do { found = try worker.ask(question, attachment, within: seconds) } catch {
      isAlive = false
      throw error
    }
    switch found.outcome {
    case .measured(let answer): return (answer, found.attachment)
    case .unsupported(let reason): throw Failure(kind: .codec, message: "unsupported: \(reason)")
    case .failed(let failure): throw failure
    }
  }

  func kill() {
    lock.withLock { isKilled = true }
    worker.kill()
  }
}

/// Runs jobs in workers, the most urgent first: as many side by side as there are cores, and one more lane for
/// background work. Stale work is removed from the queue, and its workers are killed.
final class ViewPool: @unchecked Sendable {
  // Sendable because all mutable state is accessed only under `condition`.

  /// Milliseconds that stale work may go on: less than a new worker takes to start, and long enough for a tile of JPEG.
  private static let grace = 20

  private struct Running {
    var purpose: Purpose
    var worker: ViewWorker
  }

  private let launch: WorkerLaunch
  private let builds: [LibraryBuild]
  private let lanes: Int
  private let onTrouble: @Sendable (String) -> Void
  private let isWanted: @Sendable (Purpose) -> Bool
  private let condition = NSCondition()
  /// By build; those of builds are created with their first job.
  private var standby: [String?: StandbyWorkers] = [:]
  private var waiting: [ViewJob] = []
  private var running: [Int: Running] = [:]
  private var isClosed = false
  private var nextRun = 0
  /// Workers killed over stale work.
  private(set) var killed = 0

  /// - Parameters:
  ///   - launch: starts workers with the system's libraries.
  ///   - isWanted: true if the result for a purpose is still wanted.
  ///   - onTrouble: receives the reason each time a worker cannot be started.
  init(
    launch: WorkerLaunch, builds: [LibraryBuild] = [], cores: Int,
    isWanted: @escaping @Sendable (Purpose) -> Bool, onTrouble: @escaping @Sendable (String) -> Void
  ) throws(WorkerStartError) {
    lanes = max(1, cores)
    (self.launch, self.builds) = (launch, builds)
    (self.isWanted, self.onTrouble) = (isWanted, onTrouble)
    standby[nil] = try StandbyWorkers(launch: launch, size: lanes + 1 + lanes, onTrouble: onTrouble)
    for lane in 0...lanes {
      try PlainThread.start(stackSize: 1 << 20) { [self] in work(isBackground: lane == lanes) }
    }
  }

  func add(_ jobs: [ViewJob]) {
    condition.withLock {
      guard !isClosed else { return }
      waiting += jobs
      condition.broadcast()
    }
  }

  /// Drops unwanted work: queued jobs at once, running ones after the grace.
  func dropStale() {
    let stale = condition.withLock {
      waiting.removeAll { !isWanted($0.purpose) }
      return running.filter { !isWanted($0.value.purpose) }
    }
    guard !stale.isEmpty else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.grace)) { [self] in
      condition.withLock {
        for (run, stale) in stale where running[run] != nil {
          stale.worker.kill()
          killed += 1
        }
      }
    }
  }

  func has(_ purpose: Purpose) -> Bool {
    condition.withLock {
      waiting.contains { $0.purpose == purpose } || running.values.contains { $0.purpose == purpose }
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      waiting = []
      for run in running.values { run.worker.kill() }
      condition.broadcast()
    }
    for workers in condition.withLock({ standby.values }) { workers.close() }
  }

  /// The workers with a build's libraries; nil once closed, or if no thread can be started for them.
  private func workers(of build: String?) -> StandbyWorkers? {
    condition.withLock { () -> StandbyWorkers? in
      if isClosed { return nil }
      if let known = standby[build] { return known }
      var launch = launch
      launch.build = builds.first { $0.name == build }
      do throws(WorkerStartError) {
        // One for each lane, and a spare for each that is killed over stale work.
        let workers = try StandbyWorkers(launch: launch, size: 2 * lanes, onTrouble: onTrouble)
        standby[build] = workers
        return workers
      } catch {
        onTrouble("\(error)")
        return nil
      }
    }
  }

  private func work(isBackground: Bool) {
    while let job = next(isBackground) {
      guard let workers = workers(of: job.build), let worker = workers.take() else { continue }
      let run: Int? = condition.withLock {
        guard !isClosed else { return nil }
        nextRun += 1
        running[nextRun] = Running(purpose: job.purpose, worker: worker)
        return nextRun
      }
      // Asked again, now that `dropStale` sees the job: it may have become stale between queue and lane.
      if run != nil, isWanted(job.purpose) { job.work(worker) }
      condition.withLock { if let run { running[run] = nil } }
      workers.giveBack(worker)
    }
  }

  private func next(_ isBackground: Bool) -> ViewJob? {
    condition.withLock {
      while !isClosed {
        let mine = waiting.indices.filter { waiting[$0].priority.isBackground == isBackground }
        if let first = mine.min(by: { waiting[$0].priority < waiting[$1].priority }) {
          return waiting.remove(at: first)
        }
        condition.wait()
      }
      return nil
    }
  }
}
