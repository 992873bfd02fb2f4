import Foundation
import Model
import Workers

/// A piece of work for one worker.
struct CrewJob: Sendable {
  /// The order among those that wait: the lowest first, then the oldest.
  enum Priority: Int, Comparable {
    case shown, visible, whole, rest, neighbour, thumbnail

    static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }

    /// Whether it is done beside what the two sides show, and never instead.
    var isBackground: Bool { self >= .neighbour }
  }

  /// What it is for.
  var purpose: Purpose
  /// The build of the libraries that the worker has; nil for the system's.
  var build: String?
  /// How urgent it is.
  var priority: Priority
  /// The work. Asks the worker step by step and ends early where an answer fails.
  var work: @Sendable (CrewMember) -> Void
}

/// A worker of the crew.
final class CrewMember: @unchecked Sendable {
  // Sendable because `isKilled` is under `lock` and the rest belongs to the lane that does the job.
  private let worker: WorkerProcess
  private let lock = NSLock()
  private var isKilled = false
  /// How often it has encoded.
  private(set) var encodes = 0
  /// Whether its last answer came.
  private(set) var isAlive = true

  /// Takes a worker in.
  init(_ worker: WorkerProcess) { self.worker = worker }

  /// Whether its job was given up; what fails then is nobody's failure.
  var isCancelled: Bool { lock.withLock { isKilled } }

  /// Asks and waits for the answer. Throws what the worker says is wrong, or why it is gone.
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

  /// Gives the job up and ends the worker.
  func kill() {
    lock.withLock { isKilled = true }
    worker.kill()
  }
}

/// Does jobs in workers, the most urgent first: as many side by side as there are cores, and one more lane for what
/// may wait. Work that nobody wants any more is taken out of the queue, and its worker is killed.
final class WorkerCrew: @unchecked Sendable {
  // Sendable because everything that changes is only touched under `condition`.

  /// How long work that has become stale may go on: less than a new worker takes to start, and long enough for a
  /// tile of JPEG. Milliseconds.
  private static let grace = 20

  private struct Running {
    var purpose: Purpose
    var member: CrewMember
  }

  private let launch: WorkerLaunch
  private let builds: [LibraryBuild]
  private let lanes: Int
  private let onTrouble: @Sendable (String) -> Void
  private let isWanted: @Sendable (Purpose) -> Bool
  private let condition = NSCondition()
  /// By build; those of builds begin with their first job.
  private var stands: [String?: WorkerStand] = [:]
  private var waiting: [CrewJob] = []
  private var running: [Int: Running] = [:]
  private var isClosed = false
  private var nextRun = 0
  /// How many workers were killed over stale work.
  private(set) var killed = 0

  /// Starts the lanes.
  /// - Parameters:
  ///   - launch: how workers with the system's libraries are started.
  ///   - builds: other builds of the libraries that jobs may name.
  ///   - isWanted: whether anyone still wants what comes of a purpose.
  ///   - onTrouble: is told why no worker can be started, while none can.
  init(
    launch: WorkerLaunch, builds: [LibraryBuild] = [], cores: Int,
    isWanted: @escaping @Sendable (Purpose) -> Bool, onTrouble: @escaping @Sendable (String) -> Void
  ) throws(WorkerStartError) {
    lanes = max(1, cores)
    (self.launch, self.builds) = (launch, builds)
    (self.isWanted, self.onTrouble) = (isWanted, onTrouble)
    stands[nil] = try WorkerStand(launch: launch, size: lanes + 1 + lanes, onTrouble: onTrouble)
    for lane in 0...lanes {
      try PlainThread.start(stackSize: 1 << 20) { [self] in work(isBackground: lane == lanes) }
    }
  }

  /// Adds jobs.
  func add(_ jobs: [CrewJob]) {
    condition.withLock {
      guard !isClosed else { return }
      waiting += jobs
      condition.broadcast()
    }
  }

  /// Gives up whatever is not wanted: what waits at once, what runs after the grace.
  func dropStale() {
    let stale = condition.withLock {
      waiting.removeAll { !isWanted($0.purpose) }
      return running.filter { !isWanted($0.value.purpose) }
    }
    guard !stale.isEmpty else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.grace)) { [self] in
      condition.withLock {
        for (run, stale) in stale where running[run] != nil {
          stale.member.kill()
          killed += 1
        }
      }
    }
  }

  /// Whether a job with this purpose waits or runs.
  func has(_ purpose: Purpose) -> Bool {
    condition.withLock {
      waiting.contains { $0.purpose == purpose } || running.values.contains { $0.purpose == purpose }
    }
  }

  /// Ends everything.
  func close() {
    condition.withLock {
      isClosed = true
      waiting = []
      for run in running.values { run.member.kill() }
      condition.broadcast()
    }
    for stand in condition.withLock({ stands.values }) { stand.close() }
  }

  /// The workers with a build's libraries; nil once closed, and where no thread can be had for them.
  private func stand(of build: String?) -> WorkerStand? {
    condition.withLock { () -> WorkerStand? in
      if isClosed { return nil }
      if let known = stands[build] { return known }
      var launch = launch
      launch.build = builds.first { $0.name == build }
      do throws(WorkerStartError) {
        // One for each lane, and a spare for each that is killed over stale work.
        let stand = try WorkerStand(launch: launch, size: 2 * lanes, onTrouble: onTrouble)
        stands[build] = stand
        return stand
      } catch {
        onTrouble("\(error)")
        return nil
      }
    }
  }

  private func work(isBackground: Bool) {
    while let job = next(isBackground) {
      guard let stand = stand(of: job.build), let member = stand.take() else { continue }
      let run: Int? = condition.withLock {
        guard !isClosed else { return nil }
        nextRun += 1
        running[nextRun] = Running(purpose: job.purpose, member: member)
        return nextRun
      }
      // Asked once more, now that `dropStale` sees the job: it may have become stale between queue and lane.
      if run != nil, isWanted(job.purpose) { job.work(member) }
      condition.withLock { if let run { running[run] = nil } }
      stand.giveBack(member)
    }
  }

  private func next(_ isBackground: Bool) -> CrewJob? {
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
