package import Model
import Synchronization
package import Workers

/// Reads files by all routes in workers: a job for each file and for each encoding of it.
package final class ReadRunner: Sendable {
  /// A file for a build, or an encoding of it, with the remaining routes.
  private struct Job: Sendable {
    var entry: CorpusEntry
    var keys: [Case]
  }

  private let plan: ReadPlan
  private let configuration: RunnerConfiguration
  private let conditions: TimingSeries.Conditions
  private let origin: TimesOrigin
  private let pool: WorkerPool

  /// - Parameter configuration: jobs, limits and the program that workers are started from.
  package init(_ plan: ReadPlan, _ configuration: RunnerConfiguration) {
    self.plan = plan
    self.configuration = configuration
    conditions = configuration.jobs == 1 ? .single : .contended
    let machine = CurrentMachine.describe()
    origin = TimesOrigin(host: machine.host, processor: machine.processor, jobs: configuration.jobs)
    pool = WorkerPool(configuration, preparation: plan.preparation)
  }

  /// Reads everything unfinished and hands each record to `sink`, one at a time. Returns early once cancelled.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  package func run(
    isFinished: (Case) -> Bool = { _ in false }, _ sink: @escaping @Sendable (CaseRecord) throws -> Void
  ) throws {
    let jobs = plan.entries.flatMap { entry in
      plan.sources(of: entry).compactMap { source -> Job? in
        let keys = plan.keys(of: entry, source).filter { !isFinished($0) }
        return keys.isEmpty ? nil : Job(entry: entry, keys: keys)
      }
    }
    let turn = Mutex(())
    try pool.run(jobs, pixels: \.entry.pixels) { [self] job, slot, isLast in
      try read(job, slot, isLast: isLast) { record in try turn.withLock { _ in try sink(record) } }
    }
  }

  /// Ends all workers; finished reads are kept.
  package func cancel() { pool.cancel() }

  private func read(
    _ job: Job, _ slot: WorkerSlot, isLast: Bool, _ sink: (CaseRecord) throws -> Void
  ) throws -> WorkerPool.Ending<Job> {
    var lost: [Case] = []
    // All pixels for each decode: the first, the one for peak memory, and the timed ones.
    let seconds = configuration.timeout(pixels: job.entry.pixels * (plan.repeats + 4), repeats: 1)
    var origin = origin
    if isLast { origin.jobs = 1 }
    for key in job.keys {
      let outcome: Outcome<Figures>
      if let problem = job.entry.problem {
        outcome = .failed(problem)
      } else {
        let request = ReadRequest(path: job.entry.path, key: key, repeats: plan.repeats)
        let response = try slot.read(request, of: job.entry.file, within: seconds)
        guard let read = response.outcome else { return .done }
        outcome = read
      }
      if !isLast, case .failed(let failure) = outcome, failure.isWorthRetrying {
        lost.append(key)
      } else {
        let timed = outcome.map { figures in
          var figures = figures
          figures.timing.conditions = isLast ? .single : conditions
          return figures
        }
        try sink(CaseRecord(key: key, outcome: timed, timesOrigin: origin))
      }
    }
    return lost.isEmpty ? .done : .again(Job(entry: job.entry, keys: lost))
  }
}
