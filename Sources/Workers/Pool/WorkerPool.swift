package import Model
import Synchronization

/// Worker processes for codecs, within one sandbox and one memory budget. Sweeps, reads, tiles, thumbnails,
/// generations, pictures and scores give jobs to a pool's sessions, one at a time each.
///
/// A job is a closure that gets a `WorkerSlot` and asks it any number of questions. It runs as an operation of an
/// operation queue and may block its thread. Once the pool is cancelled, sessions answer `cancelled` to everything.
package final class WorkerPool: Sendable {
  package enum Next<Value> {
    case job(@Sendable (WorkerSlot) throws -> Value)
    /// Memory is short, or a job has to wait for another: the session ends its workers and starts new ones for its next
    /// job.
    case wait
    /// The session keeps its workers, since running jobs may add more jobs.
    case nothing
  }

  package let sessions: [WorkerSlot]
  package let budget: MemoryBudget
  private let state = Mutex<(isCancelled: Bool, wake: (@Sendable () -> Void)?)>((false, nil))

  /// An idle pool: processes start when the first job asks.
  /// - Parameters:
  ///   - sessions: The number of sessions; nil for one for each job.
  ///   - standby: Additional sessions that replace killed ones (see `serve`).
  package init(
    _ configuration: RunnerConfiguration, preparation: Preparation = Preparation(), metrics: [String] = [],
    bytesPerPixel: Double = 40, sessions: Int? = nil, standby: Int = 0
  ) {
    self.sessions = (0..<(sessions ?? configuration.jobs) + standby).map { _ in
      WorkerSlot(configuration, preparation: preparation, metrics: metrics)
    }
    budget = MemoryBudget(
      total: configuration.memoryBudget, bytesPerPixel: bytesPerPixel, workers: 1 + configuration.builds.count
    )
  }

  deinit { cancel() }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends all workers and their jobs for good. Callable from any thread, repeatedly, and before jobs run.
  package func cancel() {
    let wake = state.withLock { state in
      state.isCancelled = true
      return state.wake
    }
    for session in sessions { session.cancel() }
    wake?()
  }

  package func retire() {
    for session in sessions { session.retire() }
  }

  /// Wakes the sessions because jobs have arrived from elsewhere. Callable from any thread.
  package func wake() { state.withLock { $0.wake }?() }

  /// Runs the jobs that `next` gives to idle sessions, until there are none and all have ended, or until the pool is
  /// cancelled. The calling thread blocks and makes all calls of these closures. An error ends the jobs, and the pool
  /// unless it stays open.
  /// - Parameters:
  ///   - count: The number of sessions that take part; nil for all.
  ///   - staysOpen: True to wait for jobs even if none is running.
  ///   - next: Gets an idle session's index and the number of running jobs.
  ///   - ended: Gets the index and the result of each job that has ended, even of those that end after a cancellation.
  ///   - patience: The most seconds to wait for a job's end.
  ///   - round: Called after jobs have ended, and after each `patience` seconds without one.
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
        // The sessions that have worked longest have loaded most of their libraries.
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
      // An open pool keeps serving; jobs in progress finish normally.
      if !staysOpen { cancel() }
      queue.close()
      throw error
    }
  }
}

extension WorkerPool {
  package enum Ending<Job: Sendable>: Sendable {
    case done
    /// Done, but learned nothing about its kind.
    case unanswered
    case again(Job)
  }

  /// Runs independent jobs; returns early once cancelled. A job whose worker is lost is retried once at the end, alone
  /// and in a fresh worker. Throws a job's error, or one if no thread can be started.
  /// - Parameters:
  ///   - pixels: The size of a job's picture, which determines how much memory it may need.
  ///   - kind: A property shared with jobs that wait for the first one's result; nil for a job that never waits.
  ///   - round: Called about once a second.
  ///   - work: Runs a job in a session; called from several threads. The last attempt must not ask for another.
  package func run<Job: Sendable>(
    _ jobs: some Sequence<Job>, pixels: (Job) -> Int, kind: @escaping (Job) -> String? = { _ in nil },
    round: () -> Void = {}, work: @escaping @Sendable (Job, WorkerSlot, _ isLast: Bool) throws -> Ending<Job>
  ) throws {
    defer { retire() }
    let lost = try pass(jobs, on: sessions.count, pixels, kind, round) { try work($0, $1, false) }
    retire()
    _ = try pass(lost, on: 1, pixels, kind, round) { job, session in
      session.retire()
      return try work(job, session, true)
    }
  }

  private func pass<Job: Sendable>(
    _ jobs: some Sequence<Job>, on count: Int, _ pixels: (Job) -> Int, _ kind: @escaping (Job) -> String?,
    _ round: () -> Void, work: @escaping @Sendable (Job, WorkerSlot) throws -> Ending<Job>
  ) throws -> [Job] {
    var (budget, line, lost) = (budget, JobLine(jobs, kind: kind), [Job]())
    try run(on: count) { session, running -> Next<(kind: String?, ending: Ending<Job>)> in
      let job = line.next(isAlone: running == 0) { budget.reserve(pixels: pixels($0), slot: session) }
      guard let job else { return .wait }
      return .job { [kind = kind(job)] in (kind, try work(job, $0)) }
    } ended: { session, done in
      budget.release(slot: session)
      if case .again(let rest) = done.ending { lost.append(rest) }
      let isKnown = if case .done = done.ending { true } else { false }
      line.end(done.kind, isKnown: isKnown)
    } round: {
      round()
    }
    return lost
  }

  /// The most items inspected for one whose image a session has open.
  private static let mostAhead = 256

  /// Runs `work` on the items in parallel and returns the results in order. Blocks the calling thread. Throws the first
  /// error of `work`, or if threads or processes could not be started.
  package func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], pixels: (Item) -> Int, image: (Item) -> ImageIdentity? = { _ in nil },
    _ work: @escaping @Sendable (WorkerSlot, Item) throws -> Value, ended: (Item) -> Void = { _ in }
  ) throws -> [Value] {
    var (budget, waiting) = (budget, Array(items.indices))
    var results = [Result<Value, any Error>?](repeating: nil, count: items.count)
    try run { session, _ -> Next<(Int, Result<Value, any Error>)> in
      let open = sessions[session].openImage
      let same = waiting.prefix(Self.mostAhead).firstIndex { open != nil && image(items[$0]) == open }
      guard let place = same ?? waiting.indices.first else { return .nothing }
      // Memory stays reserved after the job: its image is open for the next job about it.
      guard budget.reserve(pixels: pixels(items[waiting[place]]), slot: session) else { return .wait }
      let index = waiting.remove(at: place)
      return .job { [item = items[index]] worker in (index, Result { try work(worker, item) }) }
    } ended: { _, done in
      results[done.0] = done.1
      ended(items[done.0])
    }
    // After a cancellation, sessions answer the remaining items at once.
    return try results.indices.map { try results[$0]?.get() ?? work(sessions[0], items[$0]) }
  }

  /// Measures the cases that are not known, image by image, and passes each record to `keep` at once, with the origin
  /// of its times. A case that loses its worker is retried once at the end. Returns early once cancelled.
  /// - Parameters:
  ///   - jobs: All cases, known or not.
  ///   - count: How many a case counts as.
  ///   - keep: Keeps a record; called by one thread at a time, as `progress` is.
  ///   - work: Measures the cases of a turn; ends early when a worker reports a cancellation. Called from several
  ///     threads.
  package func measure<Entry>(
    _ jobs: [CaseJob<Entry>], pixels: (Entry) -> Int, isKnown: (Case) -> Bool,
    count: @escaping @Sendable (Case) -> Int = { _ in 1 },
    keep: @escaping @Sendable (CaseRecord) throws -> Void,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
    work: @escaping @Sendable (inout CaseTurn<Entry>) throws -> Void
  ) throws -> MeasuredCases {
    let missing = jobs.compactMap { job -> CaseJob<Entry>? in
      let cases = job.cases.filter { !isKnown($0) }
      return cases.isEmpty ? nil : CaseJob(entry: job.entry, cases: cases)
    }
    func number(_ jobs: [CaseJob<Entry>]) -> Int {
      jobs.reduce(0) { $0 + $1.cases.reduce(0) { $0 + count($1) } }
    }
    let (total, unknown) = (number(jobs), number(missing))
    let done = Mutex(0)
    let machine = CurrentMachine.describe()
    try run(missing, pixels: { pixels($0.entry) }) { job, slot, isLast in
      let origin = TimesOrigin(
        host: machine.host, processor: machine.processor, jobs: isLast ? 1 : slot.configuration.jobs)
      var turn = CaseTurn(job: job, slot: slot, isLast: isLast) { record in
        var record = record
        record.timesOrigin = origin
        try done.withLock { [record] done in
          try keep(record)
          let number = count(record.key)
          done += number
          if number > 0 { progress(done, unknown) }
        }
      }
      try work(&turn)
      return turn.lost.isEmpty ? .done : .again(CaseJob(entry: job.entry, cases: turn.lost))
    }
    return MeasuredCases(
      cases: jobs.flatMap(\.cases), count: count, total: total, known: total - unknown,
      wasInterrupted: done.withLock { $0 } < unknown)
  }
}

/// The cases of one image, which a worker measures one after another.
package struct CaseJob<Entry: Sendable>: Sendable {
  package let entry: Entry
  package var cases: [Case]

  package init(entry: Entry, cases: [Case]) { (self.entry, self.cases) = (entry, cases) }
}

/// A worker's turn at the missing cases of an image.
package struct CaseTurn<Entry: Sendable> {
  package let job: CaseJob<Entry>
  package let slot: WorkerSlot
  /// True for cases that lost their worker before: they run alone and are not retried.
  package let isLast: Bool
  fileprivate let sink: (CaseRecord) throws -> Void
  fileprivate var lost: [Case] = []

  /// Keeps a record, or schedules a retry if its case lost its worker for the first time.
  package mutating func keep(_ record: CaseRecord) throws {
    if !isLast, record.outcome.failure?.isWorthRetrying == true {
      lost.append(record.key)
    } else {
      try sink(record)
    }
  }
}

/// The requested cases of a run, and how many were known or measured.
package struct MeasuredCases: Sendable {
  package let cases: [Case]
  /// The number that a case counts for.
  package let count: @Sendable (Case) -> Int
  package let total: Int
  /// Number of cases that were known.
  package let known: Int
  package let wasInterrupted: Bool
}

extension MeasuredCases {
  /// Cases that were all known.
  package init(known cases: [Case]) {
    self.init(cases: cases, count: { _ in 1 }, total: cases.count, known: cases.count, wasInterrupted: false)
  }
}

/// Jobs in the order in which they may begin. The first job of a kind finds out something that holds for the whole
/// kind. Until then, other jobs of that kind wait, and jobs of other kinds overtake them.
struct JobLine<Job> {
  /// The most jobs inspected to find one that may begin.
  static var mostAhead: Int { 256 }

  private var coming: AnyIterator<Job>
  private var ahead: [Job] = []
  private let kind: (Job) -> String?
  /// False while the first job of a kind runs, true once it has found out.
  private var knowledge: [String: Bool] = [:]

  /// - Parameter kind: A property that a job shares with others; nil for a job that never waits.
  init(_ jobs: some Sequence<Job>, kind: @escaping (Job) -> String?) {
    coming = AnyIterator(jobs.makeIterator())
    self.kind = kind
  }

  /// Removes and returns the next job if `fits` allows it to begin now; nil if it does not, or if there is none. With
  /// `isAlone`, no job is running that others could wait for, so the first one is next.
  mutating func next(isAlone: Bool, where fits: (Job) -> Bool) -> Job? {
    guard let index = readyIndex(isAlone), fits(ahead[index]) else { return nil }
    let job = ahead.remove(at: index)
    if let kind = kind(job), knowledge[kind] == nil { knowledge[kind] = false }
    return job
  }

  /// Notes that a job has ended. If it learned nothing about its kind, the next job of that kind has to.
  mutating func end(_ kind: String?, isKnown: Bool) {
    guard let kind, knowledge[kind] == false else { return }
    knowledge[kind] = isKnown ? true : nil
  }

  private mutating func readyIndex(_ isAlone: Bool) -> Int? {
    var index = 0
    while index < Self.mostAhead {
      if index == ahead.count {
        guard let job = coming.next() else { break }
        ahead.append(job)
      }
      if isAlone || kind(ahead[index]).map({ knowledge[$0] != false }) ?? true { return index }
      index += 1
    }
    return nil
  }
}
