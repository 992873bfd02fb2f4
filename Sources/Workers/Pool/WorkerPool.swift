import Foundation
package import Model
import Synchronization

/// The way to a codec for everyone but the sweep's own scheduler: a few worker processes, within one sandbox and one
/// memory budget, that run jobs by priority and drop those that nobody waits for any more.
///
/// A job is a closure that gets a `WorkerSlot` and asks it as often as it likes: `measure`, `render`, `compare`,
/// `read`, `cut`. It runs on a thread of the pool and may block it. Three ways to submit jobs:
///
///     let results = try pool.map(images, pixels: \.pixels) { worker, image in … }   // blocks, results in order
///     let job = pool.submit(pixels: image.pixels, priority: .urgent) { worker in … }; job.cancel()
///     let picture = try await pool.perform(on: image) { worker in … }               // cancelled with its task
package final class WorkerPool: @unchecked Sendable {
  // Sendable because all mutable state is accessed only under `condition`.

  /// The order of jobs; within a priority, first come, first served.
  package enum Priority: Int, Comparable, Sendable {
    /// Runs when there is nothing else to do.
    case background
    /// The work that a command is run for.
    case normal
    /// Somebody is waiting.
    case urgent

    package static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  private let makeWorker: @Sendable () -> WorkerSlot
  private var workers: [WorkerSlot]
  private let queue: WatchedQueue
  private let condition = NSCondition()
  private var waiting: [WorkerJob] = []
  private var idle: [Int]
  private var budget: MemoryBudget
  private var isCancelled = false

  /// An idle pool: processes are started when the first job asks. Throws if the system gives no threads.
  /// - Parameters:
  ///   - preparation: The conversion of sources to the rasters that codecs get.
  ///   - metrics: The metrics of `score` and scored renderings, by identifier.
  ///   - bytesPerPixel: The expected memory of jobs per pixel.
  package init(
    _ configuration: RunnerConfiguration, preparation: Preparation, metrics: [String] = [],
    bytesPerPixel: Double = 60
  ) throws(WorkerStartError) {
    let launch = configuration.launch(preparation: preparation, metrics: metrics)
    makeWorker = { WorkerSlot(launch: launch, configuration: configuration) }
    workers = (0..<configuration.jobs).map { [makeWorker] _ in makeWorker() }
    idle = Array(workers.indices)
    budget = MemoryBudget(total: configuration.memoryBudget, bytesPerPixel: bytesPerPixel)
    queue = try WatchedQueue(concurrency: configuration.jobs)
  }

  deinit { for worker in workers { worker.cancel() } }

  /// Submits a job.
  /// - Parameters:
  ///   - pixels: The size of its image, for the memory budget.
  ///   - image: Its image, so that a worker that has it open is preferred.
  ///   - work: Always runs; once the job is cancelled, the worker answers `cancelled` to everything.
  @discardableResult
  package func submit(
    pixels: Int, image: ImageIdentity? = nil, priority: Priority = .normal,
    _ work: @escaping @Sendable (WorkerSlot) -> Void
  ) -> WorkerJob {
    let job = WorkerJob(pixels: pixels, image: image, priority: priority, work: work) { [weak self] in
      self?.condition.withLock { self?.condition.broadcast() }
    }
    let isLate = condition.withLock {
      // Behind all that are equally urgent.
      let place = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
      waiting.insert(job, at: place)
      return isCancelled
    }
    if isLate { job.cancel() }
    queue.add { self.doNext() }
    return job
  }

  package func wait() throws(WorkerStartError) { try queue.wait() }

  /// Ends all workers and their jobs for good. May be called from any thread, even before jobs are submitted.
  package func cancel() {
    let (dropped, running): ([WorkerJob], [WorkerSlot]) = condition.withLock {
      isCancelled = true
      return (waiting, workers)
    }
    for job in dropped { job.cancel() }
    for worker in running { worker.cancel() }
  }

  /// Runs the first job that there is memory for on an idle worker. A worker stopped for a job is replaced; a job
  /// cancelled before it began never reaches one.
  private func doNext() {
    let (job, worker, index) = take()
    let isStopped = job.run(on: worker, or: makeWorker)
    if isStopped { worker.retire() }
    condition.withLock {
      if isStopped, !isCancelled { workers[index] = makeWorker() }
      // Its memory stays reserved: its image is open for the next job about it.
      idle.append(index)
      condition.broadcast()
    }
  }

  private func take() -> (job: WorkerJob, worker: WorkerSlot, index: Int) {
    condition.withLock {
      while true {
        if let place = waiting.firstIndex(where: \.isCancelled) ?? waiting.indices.first {
          let job = waiting[place]
          let index =
            idle.last { workers[$0].openImage != nil && workers[$0].openImage == job.image }
            ?? idle[idle.endIndex - 1]
          if job.isCancelled || makeRoom(for: job, on: index) {
            waiting.remove(at: place)
            idle.removeAll { $0 == index }
            budget.reserve(pixels: job.pixels, slot: index)
            return (job, workers[index], index)
          }
        }
        condition.wait()
      }
    }
  }

  /// True if there is memory for a job; idle workers give up their open images for it.
  private func makeRoom(for job: WorkerJob, on index: Int) -> Bool {
    for other in idle where other != index && !budget.admits(pixels: job.pixels, slot: index) {
      workers[other].retire()
      budget.release(slot: other)
    }
    return budget.admits(pixels: job.pixels, slot: index)
  }
}

extension WorkerPool {
  /// Runs `work` on each item, side by side, and returns the results in order. Blocks the calling thread. Throws the
  /// first error of `work`, or if threads or processes could not be started.
  package func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], pixels: (Item) -> Int, image: (Item) -> ImageIdentity? = { _ in nil },
    _ work: @escaping @Sendable (WorkerSlot, Item) throws -> Value
  ) throws -> [Value] {
    let results = Guarded([Result<Value, any Error>?](repeating: nil, count: items.count))
    for (index, item) in items.enumerated() {
      submit(pixels: pixels(item), image: image(item)) { worker in
        let result = Result { try work(worker, item) }
        results.value.withLock { $0[index] = result }
      }
    }
    try wait()
    return try results.value.withLock { $0 }.compactMap { try $0?.get() }
  }

  /// Runs a job about an image and returns its result. Cancelling the task cancels the job.
  package func perform<Value: Sendable>(
    on file: ImageFile, priority: Priority = .normal,
    _ work: @escaping @Sendable (WorkerSlot) throws -> Value
  ) async throws -> Value {
    let handed = Guarded<(job: WorkerJob?, isCancelled: Bool)>((nil, false))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = submit(pixels: file.pixels, image: file.identity, priority: priority) { worker in
          continuation.resume(with: Result { try work(worker) })
        }
        let isLate = handed.value.withLock { handed in
          handed.job = job
          return handed.isCancelled
        }
        if isLate { job.cancel() }
      }
    } onCancel: {
      let job = handed.value.withLock { handed in
        handed.isCancelled = true
        return handed.job
      }
      job?.cancel()
    }
  }
}

final class Guarded<Value: Sendable>: Sendable {
  let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
}

package final class WorkerJob: Sendable {
  private struct State {
    var isCancelled = false
    var worker: WorkerSlot?
  }

  let pixels: Int
  let image: ImageIdentity?
  let priority: WorkerPool.Priority
  private let work: @Sendable (WorkerSlot) -> Void
  private let changed: @Sendable () -> Void
  private let state = Mutex(State())

  fileprivate init(
    pixels: Int, image: ImageIdentity?, priority: WorkerPool.Priority,
    work: @escaping @Sendable (WorkerSlot) -> Void, changed: @escaping @Sendable () -> Void
  ) {
    (self.pixels, self.image, self.priority) = (pixels, image, priority)
    (self.work, self.changed) = (work, changed)
  }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Drops the job: a worker busy with it is killed at once and replaced. Harmless after the job has ended.
  package func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.worker?.cancel()
    }
    changed()
  }

  /// Runs the work; a cancelled job gets a worker that answers nothing. Returns true if the worker was stopped for the
  /// job.
  fileprivate func run(on worker: WorkerSlot, or makeWorker: () -> WorkerSlot) -> Bool {
    let isDropped = state.withLock { state in
      if !state.isCancelled { state.worker = worker }
      return state.isCancelled
    }
    if isDropped {
      let stopped = makeWorker()
      stopped.cancel()
      work(stopped)
      return false
    }
    work(worker)
    // From here on a late `cancel` must not hit the worker's next job.
    return state.withLock { state in
      state.worker = nil
      return state.isCancelled
    }
  }
}
