import Foundation
package import Model
import Synchronization
package import Workers

/// Reads files by all routes in workers: one operation for each file and for what each codec makes of it.
package final class ReadRunner: Sendable {
  private struct State {
    var isCancelled = false
    var idle: [WorkerSlot] = []
    var all: [WorkerSlot] = []
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
    for slot in slots { slot.retire() }
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
      let request = ReadRequest(path: entry.path, key: key, repeats: plan.repeats)
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
  private func slot() -> WorkerSlot? {
    state.withLock { state in
      guard !state.isCancelled else { return nil }
      if let idle = state.idle.popLast() { return idle }
      let slot = WorkerSlot(
        launch: configuration.launch(preparation: plan.preparation, metrics: []), configuration: configuration
      )
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
