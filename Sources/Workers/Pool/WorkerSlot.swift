import Foundation
package import Model

/// One of a run's places for a worker: starts it, opens images in it, replaces it when it dies or grows old.
///
/// One operation at a time works with a slot; `cancel` may come from any thread.
package final class WorkerSlot: @unchecked Sendable {
  // Sendable because `worker` and `isCancelled` are under `lock` and the rest belongs to the one operation.

  /// What came of asking for a point.
  package enum Answer {
    /// The point is done, for better or worse.
    case outcome(Outcome)
    /// The image cannot be used: the worker's record says why.
    case unusable(ImageRecord)
    /// The worker was lost while it opened the image.
    case lostOpening(Failure)
    /// The slot was cancelled.
    case cancelled
  }

  /// An answer with what came along.
  package struct Report {
    /// What became of the point.
    package var answer: Answer
    /// The image's record, when the worker opened it for this point.
    package var image: ImageRecord?
    /// The worker's highest resident memory, bytes.
    package var peakBytes: Int?
    /// How long the worker was busy, seconds.
    package var seconds = 0.0
  }

  /// How many workers this slot has started.
  package private(set) var started = 0
  /// What the kernel holds its workers with; nil before the first.
  package private(set) var fence: FenceStatus?

  private let launch: WorkerLaunch
  private let configuration: RunnerConfiguration
  private let lock = NSLock()
  private var worker: WorkerProcess?
  private var isCancelled = false
  private var openImage: ImageIdentity?
  private var encodes = 0
  private var scratch: ScratchFolder?

  /// A slot whose workers are started so.
  package init(launch: WorkerLaunch, configuration: RunnerConfiguration) {
    self.launch = launch
    self.configuration = configuration
  }

  /// Does a point. Throws `WorkerStartError` when no worker can be started.
  package func measure(
    _ key: PointKey, of file: ImageFile, repeats: Int, conditions: TimingSeries.Conditions
  ) throws -> Report {
    var report = Report(answer: .cancelled)
    let start = MonotonicClock.now()
    report.answer = try answer(key, file, repeats, conditions, &report)
    report.seconds = Double(MonotonicClock.now() - start) / 1e9
    return report
  }

  /// Times a point and nothing else; nil once cancelled. Throws `WorkerStartError` when no worker can be
  /// started.
  package func time(
    _ request: TimeRequest, of file: ImageFile, within seconds: Double
  ) throws -> Result<TimingSeries, Failure>? {
    guard let worker = try readyWorker() else { return nil }
    var report = Report(answer: .cancelled)
    switch open(file, in: worker, &report) {
    case nil: break
    case .unusable(let record): return .failure(record.problem ?? Self.misunderstanding)
    case .lostOpening(let failure): return .failure(failure)
    case .cancelled, .outcome: return nil
    }
    do throws(Failure) {
      switch try worker.ask(.time(request), within: seconds) {
      case .timing(let series):
        encodes += series.encode.count
        return .success(series)
      case .untimed(let failure): return .failure(failure)
      default: throw Self.misunderstanding
      }
    } catch {
      retire()
      return cancelled ? nil : .failure(error)
    }
  }

  /// Reads a file by a route; nil once cancelled. Throws `WorkerStartError` when no worker can be started.
  package func read(_ request: ReadRequest, within seconds: Double) throws -> ReadOutcome? {
    guard let worker = try readyWorker() else { return nil }
    openImage = nil
    do throws(Failure) {
      guard case .read(let outcome) = try worker.ask(.read(request), within: seconds) else {
        throw Self.misunderstanding
      }
      return outcome
    } catch {
      retire()
      return cancelled ? nil : .failed(error)
    }
  }

  /// Ends the slot's worker, to be replaced when it is needed again.
  package func retire() {
    let old = lock.withLock {
      defer { worker = nil }
      return worker
    }
    openImage = nil
    encodes = 0
    old?.kill()
    scratch = nil
  }

  /// Ends the slot's worker and starts no other.
  package func cancel() {
    lock.withLock {
      isCancelled = true
      worker?.kill()
    }
  }

  /// How often a worker is started when others are killed before they are ready.
  private static let startsAtMost = 3

  /// How long it may take to end a metric's program with all that it has started.
  private static let endingSeconds = 12.0

  private static let misunderstanding = Failure(kind: .broken, message: ReplyCheck.Lie().description)

  private var cancelled: Bool { lock.withLock { isCancelled } }

  private func answer(
    _ key: PointKey, _ file: ImageFile, _ repeats: Int, _ conditions: TimingSeries.Conditions,
    _ report: inout Report
  ) throws -> Answer {
    guard let worker = try readyWorker() else { return .cancelled }
    if let problem = open(file, in: worker, &report) { return problem }
    encodes += repeats
    let seconds = configuration.timeout(pixels: file.pixels, repeats: repeats)
    let request = MeasureRequest(
      variant: key.variant, libraries: key.libraries, quality: key.quality, repeats: repeats,
      conditions: conditions,
      commandSeconds: seconds)
    do throws(Failure) {
      let commands = Double(configuration.externalMetrics.count)
      // Each command may use its time up, and ending what it has started takes a moment.
      let reply = try worker.ask(
        .measure(request), within: seconds * (1 + commands) + Self.endingSeconds * commands)
      guard case .outcome(let outcome, let peak) = reply else { throw Self.misunderstanding }
      report.peakBytes = peak
      return .outcome(outcome)
    } catch {
      retire()
      return cancelled ? .cancelled : .outcome(.failed(error))
    }
  }

  /// Opens the image unless it is open. Returns nil when it is.
  private func open(_ file: ImageFile, in worker: WorkerProcess, _ report: inout Report) -> Answer? {
    guard openImage != file.identity else { return nil }
    openImage = nil
    do throws(Failure) {
      let reply = try worker.ask(
        .open(file), within: configuration.timeout(pixels: file.pixels, repeats: 1))
      guard case .image(let record) = reply else { throw Self.misunderstanding }
      guard record.problem == nil else { return .unusable(record) }
      openImage = file.identity
      report.image = record
      return nil
    } catch {
      retire()
      return cancelled ? .cancelled : .lostOpening(error)
    }
  }

  private func launchWithScratch() throws -> WorkerLaunch {
    var launch = launch
    guard !launch.setup.externalMetrics.isEmpty else { return launch }
    let folder = try ScratchFolder()
    scratch = folder
    launch.setup.scratchFolder = folder.path
    return launch
  }

  /// The slot's worker, a new one where there is none or it has grown old; nil once cancelled.
  private func readyWorker() throws -> WorkerProcess? {
    if encodes >= configuration.renewAfter { retire() }
    if let worker = lock.withLock({ isCancelled ? nil : worker }) { return worker }
    var startsLeft = Self.startsAtMost
    while true {
      startsLeft -= 1
      do { return try freshWorker() } catch let error as WorkerStartError {
        guard error.wasKilled, startsLeft > 0 else { throw error }
      }
    }
  }

  /// Starts a worker; nil once cancelled.
  private func freshWorker() throws -> WorkerProcess? {
    guard !cancelled else { return nil }
    let fresh = try WorkerProcess(launchWithScratch())
    started += 1
    // Known to `cancel` before it has begun, which may take a while on a busy machine.
    let isWanted = lock.withLock {
      if !isCancelled { worker = fresh }
      return !isCancelled
    }
    guard isWanted else { return nil }
    do { try fresh.begin() } catch {
      retire()
      // One that was killed before it was ready says nothing about the program.
      if cancelled { return nil }
      throw error
    }
    fence = fresh.fence
    return fresh
  }
}
