import Model
import Store
import Synchronization
import Workers

/// The cases of one image, which a worker measures one after the other.
struct CaseJob: Sendable {
  let entry: CorpusEntry
  var cases: [Case]
}

/// A worker's turn at the missing cases of an image.
struct CaseTurn {
  let job: CaseJob
  let slot: WorkerSlot
  /// True for cases that lost their worker before: nothing else runs, and they are not tried again.
  let isLast: Bool
  fileprivate let sink: (CaseRecord) throws -> Void
  fileprivate var lost: [Case] = []

  /// Stores a record, or has its case tried again if it lost its worker for the first time.
  mutating func keep(_ record: CaseRecord) throws {
    if !isLast, record.outcome.failure?.isWorthRetrying == true {
      lost.append(record.key)
    } else {
      try sink(record)
    }
  }
}

/// The requested cases of a run, and their number by what became of them.
struct MeasuredCases: Sendable {
  let cases: [Case]
  /// The number that a case counts for.
  let count: @Sendable (Case) -> Int
  let total: Int
  /// Number of cases that the store had.
  let known: Int
  fileprivate(set) var wasInterrupted = false
}

extension ResultStore {
  /// Has workers measure the cases that this store lacks, image after image, and keeps each record at once. A case that
  /// loses its worker is tried once more at the end. Returns early once cancelled.
  /// - Parameters:
  ///   - words: The noun of the cases, and the words for measuring them anew, such as `reads` and `reads them`; nil to
  ///     say nothing of those that were there.
  ///   - jobs: All cases, whether or not the store has them.
  ///   - count: The number that a case counts for; pictures without tiles are no cuts.
  ///   - work: Measures the cases of a turn and has it keep their records; ends early when a worker says that it was
  ///     cancelled. Called from several threads.
  func measure(
    _ words: (noun: String, again: String)?, _ jobs: [CaseJob], by pool: WorkerPool,
    isKnown: (Case) -> Bool, count: @escaping @Sendable (Case) -> Int = { $0.way == .whole ? 0 : 1 },
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void,
    work: @escaping @Sendable (inout CaseTurn) throws -> Void
  ) throws -> MeasuredCases {
    let missing = jobs.compactMap { job -> CaseJob? in
      let cases = job.cases.filter { !isKnown($0) }
      return cases.isEmpty ? nil : CaseJob(entry: job.entry, cases: cases)
    }
    func number(_ jobs: [CaseJob]) -> Int {
      jobs.reduce(0) { $0 + $1.cases.reduce(0) { $0 + count($1) } }
    }
    let (total, unknown) = (number(jobs), number(missing))
    let done = Mutex(0)
    cancellation.perform { pool.cancel() }
    defer { cancellation.release() }
    try pool.run(missing, pixels: \.entry.pixels) { job, slot, isLast in
      var turn = CaseTurn(job: job, slot: slot, isLast: isLast) { record in
        try done.withLock { done in
          try self.append(record)
          let number = count(record.key)
          done += number
          if number > 0 { events(.progress(done: done, total: unknown)) }
        }
      }
      try work(&turn)
      return turn.lost.isEmpty ? .done : .again(CaseJob(entry: job.entry, cases: turn.lost))
    }
    events(.ended)
    let known = total - unknown
    if known > 0, let words {
      events(.notice("\(known) of \(total) \(words.noun) were there already; --fresh \(words.again) again"))
    }
    return MeasuredCases(
      cases: jobs.flatMap(\.cases), count: count, total: total, known: known,
      wasInterrupted: done.withLock { $0 } < unknown)
  }
}
