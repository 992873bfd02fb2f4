import Foundation
package import Model
import Synchronization

/// The way to a codec for everyone but the sweep's own scheduler: a few worker processes, in one sandbox and
/// within one memory budget, that do jobs by priority and drop those that nobody waits for any more.
///
/// A job is a closure that gets a `WorkerSlot` and asks it as often as it likes: `measure`, `render`, `compare`, `read`, `cut`.
/// It runs on a thread of the pool, which it may keep waiting. Three ways to hand jobs in:
///
///     let results = try pool.map(images, pixels: \.pixels) { worker, image in … }   // blocks, results in order
///     let job = pool.submit(pixels: image.pixels, priority: .urgent) { worker in … }; job.cancel()
///     let picture = try await pool.perform(on: image) { worker in … }               // cancelled with its task
package final class WorkerPool: @unchecked Sendable {
  // Sendable because everything that changes is only touched under `condition`.

  /// Which job comes first; within a priority, the one that was handed in first.
  package enum Priority: Int, Comparable, Sendable {
    /// When there is nothing else to do.
    case background
    /// What a command is run for.
    case normal
    /// Somebody sits and waits.
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

  /// A pool that is not at work yet: a process is started when the first job asks.
  /// - Parameters:
  ///   - configuration: how many workers, their limits and their program.
  ///   - preparation: how sources become the rasters that codecs get.
  ///   - metrics: what `score` and scored renderings give, by identifier.
  ///   - bytesPerPixel: the memory that jobs are expected to take for each pixel.
  /// - Throws: where the system gives no threads.
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

  /// Hands in a job.
  /// - Parameters:
  ///   - pixels: of the image that it is about, for the memory budget.
  ///   - image: the image, so that a worker that has it open is preferred.
  ///   - priority: which of the waiting jobs begins first.
  ///   - work: what to do. It always runs; once the job is cancelled the worker answers `cancelled` to everything.
  @discardableResult
  package func submit(
    pixels: Int, image: ImageIdentity? = nil, priority: Priority = .normal,
    _ work: @escaping @Sendable (WorkerSlot) -> Void
  ) -> WorkerJob {
    let job = WorkerJob(pixels: pixels, image: image, priority: priority, work: work) { [weak self] in
      self?.condition.withLock { self?.condition.broadcast() }
    }
    let isLate = condition.withLock {
      // Behind all that are as urgent.
      let place = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
      waiting.insert(job, at: place)
      return isCancelled
    }
    if isLate { job.cancel() }
    queue.add { self.doNext() }
    return job
  }

  /// Waits for all jobs. Throws when the system gives no thread for them.
  package func wait() throws(WorkerStartError) { try queue.wait() }

  /// Ends all workers and everything that they do, for good. May be called from any thread, also before the jobs.
  package func cancel() {
    let (dropped, running): ([WorkerJob], [WorkerSlot]) = condition.withLock {
      isCancelled = true
      return (waiting, workers)
    }
    for job in dropped { job.cancel() }
    for worker in running { worker.cancel() }
  }

  /// Takes the first job that there is memory for, and does it on an idle worker. A worker that was stopped for a job
  /// is replaced; a job that was stopped before it began never reaches one.
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

  /// Whether there is memory for a job; idle workers with an image open give theirs up for it.
  private func makeRoom(for job: WorkerJob, on index: Int) -> Bool {
    for other in idle where other != index && !budget.admits(pixels: job.pixels, slot: index) {
      workers[other].retire()
      budget.release(slot: other)
    }
    return budget.admits(pixels: job.pixels, slot: index)
  }
}

extension WorkerPool {
  /// Does the same with each of some things, side by side, and returns what came of it in their order. Blocks the
  /// calling thread. Throws the first error that `work` threw, or that threads or processes could not be started.
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

  /// Does a job about an image and returns what came of it. With its task the job is cancelled.
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

/// A value for several threads.
final class Guarded<Value: Sendable>: Sendable {
  let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
}

/// Work that a pool was given.
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

  /// Whether nobody waits for it any more.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Drops the job: a worker that is at it is killed at once, another one takes its place. Harmless afterwards.
  package func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.worker?.cancel()
    }
    changed()
  }

  /// Does the work, on a worker that answers nothing where the job was cancelled before. Returns whether the worker
  /// was stopped for it.
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
