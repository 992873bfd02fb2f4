import Model
import Workers

/// Runs independent jobs, each on a slot with a worker: as many side by side as slots and memory allow.
///
/// A job whose worker is lost is retried once at the end, alone and in a fresh worker.
final class JobRunner<Job: Sendable>: Sendable {
  enum Verdict: Sendable {
    /// The job is done, successfully or not.
    case done
    /// The job is done, but found out nothing about its kind.
    case unanswered
    /// The worker was lost: this part of the job is to be retried.
    case again(Job)
  }

  private struct Done: Sendable {
    var slot: Int
    var kind: String?
    var result: Result<Verdict, any Error>
  }

  let slots: [WorkerSlot]
  private let budget: MemoryBudget
  private let results = BlockingQueue<Done>()
  private let stop = StopFlag()

  /// - Parameters:
  ///   - metrics: metrics that workers can compute.
  ///   - bytesPerPixel: expected memory for each pixel.
  init(
    _ configuration: RunnerConfiguration, preparation: Preparation, metrics: [String] = [],
    bytesPerPixel: Double = 40
  ) {
    let launch = configuration.launch(preparation: preparation, metrics: metrics)
    slots = (0..<configuration.jobs).map { _ in WorkerSlot(launch: launch, configuration: configuration) }
    budget = MemoryBudget(
      total: configuration.memoryBudget, bytesPerPixel: bytesPerPixel, workers: 1 + configuration.builds.count
    )
  }

  /// Runs all jobs; returns early once cancelled. Throws a job's error, or one if no thread can be started.
  /// - Parameters:
  ///   - pixels: the size of a job's picture, which determines how much memory it may need.
  ///   - kind: a property shared with jobs that wait while the first of them finds out what all need to know; nil for a
  ///     job that never waits.
  ///   - work: runs a job on a slot; called from several threads. The last try must not ask for another.
  func run(
    _ jobs: some Sequence<Job>, pixels: (Job) -> Int, kind: @escaping (Job) -> String? = { _ in nil },
    work: @escaping @Sendable (Job, WorkerSlot, _ isLast: Bool) throws -> Verdict
  ) throws {
    let queue = try WatchedQueue(concurrency: slots.count)
    defer {
      queue.settle()
      for slot in slots { slot.retire() }
    }
    do {
      let lost = try pass(jobs, queue, slots: Array(slots.indices), pixels, kind) { try work($0, $1, false) }
      for slot in slots { slot.retire() }
      _ = try pass(lost, queue, slots: [0], pixels, kind) { job, slot in
        // A second try gets a fresh worker.
        slot.retire()
        return try work(job, slot, true)
      }
    } catch {
      cancel()
      throw error
    }
  }

  /// Stops at once and kills all workers. May be called from any thread, repeatedly, and before `run`.
  func cancel() {
    stop.set()
    for slot in slots { slot.cancel() }
    results.nudge()
  }

  /// Returns the jobs to retry.
  private func pass(
    _ jobs: some Sequence<Job>, _ queue: WatchedQueue, slots free: [Int], _ pixels: (Job) -> Int,
    _ kind: @escaping (Job) -> String?, work: @escaping @Sendable (Job, WorkerSlot) throws -> Verdict
  ) throws -> [Job] {
    var budget = budget
    var line = JobLine(jobs, kind: kind)
    var (idle, lost, running) = (free, [Job](), 0)
    while !stop.isSet {
      while let index = idle.last,
        let job = line.next(
          isAlone: running == 0, where: { budget.admits(pixels: pixels($0), slot: index) })
      {
        idle.removeLast()
        budget.reserve(pixels: pixels(job), slot: index)
        queue.add { [results, slot = slots[index], kind = kind(job)] in
          results.put(Done(slot: index, kind: kind, result: Result { try work(job, slot) }))
        }
        running += 1
      }
      // Idle workers' memory counts as free, so they must give it back.
      for slot in idle { slots[slot].retire() }
      guard running > 0 else { break }
      let arrived = results.take(within: 1)
      if arrived.isEmpty { try queue.check() }
      for done in arrived {
        running -= 1
        idle.append(done.slot)
        budget.release(slot: done.slot)
        let verdict = try done.result.get()
        if case .done = verdict { line.end(done.kind, isKnown: true) }
        if case .unanswered = verdict { line.end(done.kind, isKnown: false) }
        guard case .again(let rest) = verdict else { continue }
        line.end(done.kind, isKnown: false)
        lost.append(rest)
      }
    }
    return lost
  }
}
