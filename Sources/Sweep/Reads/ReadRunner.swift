import Foundation
package import Model
import Synchronization

/// Reads files by all routes in workers: one operation for each file and for what each codec makes of it.
package final class ReadRunner: Sendable {
  private struct State {
    var isCancelled = false
    var idle: [ReadSlot] = []
    var all: [ReadSlot] = []
    var startError: (any Error)?
  }

  private let plan: ReadPlan
  private let configuration: RunnerConfiguration
  private let conditions: TimingSeries.Conditions
  private let state = Mutex(State())

  /// Prepares to read.
  /// - Parameter configuration: jobs, limits and the program that workers are started from.
  package init(_ plan: ReadPlan, _ configuration: RunnerConfiguration) {
    self.plan = plan
    self.configuration = configuration
    conditions = configuration.jobs == 1 ? .single : .contended
  }

  /// Reads everything, and hands each record to `sink`, one at a time. Returns early once cancelled.
  ///
  /// Throws `WorkerStartError` when no worker can be started.
  package func run(_ sink: @escaping @Sendable (ReadRecord) -> Void) throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = configuration.jobs
    let records = RecordSink(sink)
    for entry in plan.entries {
      let encodings: [ReadEncoding?] = [nil] + plan.encodings
      for encoding in encodings {
        queue.addOperation { self.read(entry, encoding, records) }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    let (slots, error) = state.withLock { ($0.all, $0.startError) }
    for slot in slots { slot.end() }
    if let error { throw error }
  }

  /// Ends all workers; what was read stays read.
  package func cancel() {
    let slots = state.withLock { state in
      state.isCancelled = true
      return state.all
    }
    for slot in slots { slot.cancel() }
  }

  private func read(_ entry: CorpusEntry, _ encoding: ReadEncoding?, _ records: RecordSink) {
    let keys = plan.keys(of: entry, encoding)
    if let problem = entry.problem {
      for key in keys {
        records.take(record(key, .failed(problem), entry))
      }
      return
    }
    guard let slot = slot() else { return }
    defer { state.withLock { $0.idle.append(slot) } }
    // A minute and half a minute per megapixel for each decode: the first, the weighed and the timed ones.
    let seconds = configuration.timeout(pixels: entry.header?.pixelCount ?? 0, repeats: plan.repeats + 4)
    for key in keys {
      let request = ReadRequest(path: Data(entry.path), key: key, repeats: plan.repeats)
      do {
        guard let outcome = try slot.read(request, within: seconds) else { return }
        records.take(record(key, outcome, entry))
      } catch {
        state.withLock { state in
          state.isCancelled = true
          if state.startError == nil { state.startError = error }
        }
        return
      }
    }
  }

  private func record(_ key: ReadKey, _ outcome: ReadOutcome, _ entry: CorpusEntry) -> ReadRecord {
    ReadRecord(key: key, outcome: outcome, conditions: conditions, sourceFormat: entry.header?.format)
  }

  /// An idle slot, or a new one; nil once cancelled.
  private func slot() -> ReadSlot? {
    state.withLock { state in
      guard !state.isCancelled else { return nil }
      if let idle = state.idle.popLast() { return idle }
      let slot = ReadSlot(configuration.launch(preparation: plan.preparation, metrics: []))
      state.all.append(slot)
      return slot
    }
  }
}

/// Takes records from all operations, one at a time.
private final class RecordSink: Sendable {
  private let sink: @Sendable (ReadRecord) -> Void
  private let turn = Mutex(())

  init(_ sink: @escaping @Sendable (ReadRecord) -> Void) { self.sink = sink }

  func take(_ record: ReadRecord) { turn.withLock { _ in sink(record) } }
}

/// A place for a worker that reads: replaced when it is lost.
final class ReadSlot: Sendable {
  private struct State {
    var worker: WorkerProcess?
    var isCancelled = false
  }

  private let launch: WorkerLaunch
  private let state = Mutex(State())

  init(_ launch: WorkerLaunch) { self.launch = launch }

  /// What became of a read; nil once cancelled.
  func read(_ request: ReadRequest, within seconds: Double) throws -> ReadOutcome? {
    guard let worker = try ready() else { return nil }
    do throws(Failure) {
      guard case .read(let outcome) = try worker.ask(.read(request), within: seconds) else {
        throw Failure(kind: .broken, message: "answered something else than was asked")
      }
      return outcome
    } catch {
      end()
      return state.withLock { $0.isCancelled } ? nil : .failed(error)
    }
  }

  /// Ends the worker; the next read starts another.
  func end() {
    let old = state.withLock { state in
      defer { state.worker = nil }
      return state.worker
    }
    old?.kill()
  }

  /// Ends the worker for good.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    end()
  }

  private func ready() throws -> WorkerProcess? {
    let known = state.withLock { ($0.worker, $0.isCancelled) }
    if known.1 { return nil }
    if let worker = known.0 { return worker }
    let fresh = try WorkerProcess(launch)
    let isWanted = state.withLock { state in
      if !state.isCancelled { state.worker = fresh }
      return !state.isCancelled
    }
    guard isWanted else { return nil }
    try fresh.begin()
    return fresh
  }
}
