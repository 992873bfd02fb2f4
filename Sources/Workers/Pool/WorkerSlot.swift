import Foundation
package import Model

/// One of a run's places for a worker, and for one of each build of the libraries that the run compares: opens
/// images in them and takes points to the right one.
///
/// One operation at a time works with a slot; `cancel` may come from any thread.
package final class WorkerSlot: @unchecked Sendable {
  // Sendable because `builds` and `isCancelled` are under `lock` and the rest belongs to the one operation.

  /// What came of asking for a point.
  package enum Answer {
    /// The point is done, for better or worse.
    case outcome(PointOutcome)
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
    /// How long of that it opened the image.
    package var openingSeconds = 0.0
  }

  private let launch: WorkerLaunch
  let configuration: RunnerConfiguration
  private let lock = NSLock()
  private var builds: [String: WorkerSeat] = [:]
  private var isCancelled = false
  /// The worker with the system's libraries, which decodes sources and scores.
  lazy var system = makeSeat(nil)
  /// The image whose pixels the system's worker has left for those of builds.
  private var handedOver: ImageIdentity?
  private var scratch: ScratchFolder?

  /// A slot whose workers are started so.
  package init(launch: WorkerLaunch, configuration: RunnerConfiguration) {
    self.launch = launch
    self.configuration = configuration
    _ = system
  }

  /// How many workers this slot has started.
  package var started: Int { seats.reduce(0) { $0 + $1.started } }

  /// What the kernel holds its workers with; nil before the first.
  package var sandbox: SandboxStatus? { SandboxStatus.common(seats.compactMap(\.sandbox)) }

  /// Does a point. Throws `WorkerStartError` when no worker can be started.
  package func measure(
    _ key: PointKey, of file: ImageFile, repeats: Int, conditions: TimingSeries.Conditions,
    drawing: PointDrawing = .nothing
  ) throws -> Report {
    var report = Report(answer: .cancelled)
    let start = MonotonicClock.now()
    let seconds = configuration.timeout(pixels: file.pixels, repeats: repeats)
    var request = MeasureRequest(
      variant: key.variant, libraries: LibrarySpelling.halves(of: key.libraries).own, quality: key.quality,
      repeats: repeats, conditions: conditions, commandSeconds: seconds)
    request.leavesFile = key.variant.build != nil && !configuration.scoresThroughBuild
    // The workers of builds have no metrics.
    request.drawing = key.variant.build == nil ? drawing : .nothing
    report.answer = try answer(request, key, file, &report)
    report.seconds = Double(MonotonicClock.now() - start) / 1e9
    return report
  }

  /// Times a point and nothing else; nil once cancelled. Throws `WorkerStartError` when no worker can be
  /// started.
  package func time(
    _ request: TimeRequest, of file: ImageFile, within seconds: Double
  ) throws -> Result<TimingSeries, Failure>? {
    var report = Report(answer: .cancelled)
    switch try open(file, for: request.variant.build, &report) {
    case nil: break
    case .unusable(let record): return .failure(record.problem ?? Self.misunderstanding)
    case .lostOpening(let failure), .outcome(.failed(let failure)): return .failure(failure)
    case .cancelled, .outcome: return nil
    }
    let seat = seat(request.variant.build)
    guard let worker = try seat.ready() else { return nil }
    do throws(Failure) {
      switch try worker.ask(.time(request), within: seconds) {
      case .timing(let series):
        seat.encodes += series.encode.count
        return .success(series)
      case .untimed(let failure): return .failure(failure)
      default: throw Self.misunderstanding
      }
    } catch {
      retire()
      return cancelled ? nil : .failure(error)
    }
  }

  /// Makes a thumbnail; nil once cancelled. Throws `WorkerStartError` when no worker can be started.
  package func shrink(_ request: ThumbnailRequest, within seconds: Double) throws -> Outcome<MadeThumbnail>? {
    guard let worker = try system.ready() else { return nil }
    system.openImage = nil
    if case .encoded = request.style.format { system.encodes += 1 }
    return ask(worker, .shrink(request), within: seconds) { reply in
      if case .thumbnail(let outcome) = reply { outcome } else { nil }
    }
  }

  /// Opens an image for `export`; nil once cancelled. The record says what is wrong with one that cannot be used.
  /// Throws `WorkerStartError` when no worker can be started.
  /// - Parameters:
  ///   - build: the libraries that encode; nil for the system's.
  ///   - byRows: whether the worker may leave to `export` to decode the image, row by row. What is wrong with it may then show
  ///     there. Pixels are handed over to builds as a whole.
  package func prepare(
    _ file: ImageFile, for build: String? = nil, byRows: Bool = false
  ) throws -> Result<ImageRecord, Failure>? {
    system.openImage = nil
    if byRows, build == nil { return try prepareRows(file) }
    if let build { seat(build).openImage = nil }
    var report = Report(answer: .cancelled)
    switch try open(file, for: build, &report) {
    case nil: break
    case .unusable(let record): return .failure(record.problem ?? Self.misunderstanding)
    case .lostOpening(let failure), .outcome(.failed(let failure)): return .failure(failure)
    case .cancelled, .outcome: return nil
    }
    // The build's worker has the picture now: twice it is not needed.
    if build != nil { system.retire() }
    return report.image.map { .success($0) }
  }

  private func prepareRows(_ file: ImageFile) throws -> Result<ImageRecord, Failure>? {
    guard let worker = try system.ready() else { return nil }
    handedOver = nil
    let seconds = configuration.timeout(pixels: file.pixels, repeats: 1)
    do throws(Failure) {
      guard case .image(let record) = try worker.ask(.openRows(file), within: seconds) else {
        throw Self.misunderstanding
      }
      return record.problem.map { .failure($0) } ?? .success(record)
    } catch {
      retire()
      return cancelled ? nil : .failure(error)
    }
  }

  /// Writes tiles of the image that was prepared; nil once cancelled. After a failure it has to be prepared again.
  package func export(_ request: TileExportRequest, within seconds: Double) -> Outcome<ExportedTiles>? {
    guard let worker = try? seat(request.variant.build).ready() else {
      return cancelled ? nil : .failed(Self.misunderstanding)
    }
    return ask(worker, .export(request), within: seconds) { reply in
      if case .exported(let outcome) = reply { outcome } else { nil }
    }
  }

  /// The outcome in a worker's answer; a failure where it is lost or answers another question, which it does not
  /// survive, and nil once cancelled.
  func ask<Value>(
    _ worker: WorkerProcess, _ request: WorkerRequest, within seconds: Double,
    outcome: (WorkerReply) -> Outcome<Value>?
  ) -> Outcome<Value>? {
    do throws(Failure) {
      guard let outcome = outcome(try worker.ask(request, within: seconds)) else {
        throw Self.misunderstanding
      }
      return outcome
    } catch {
      retire()
      return cancelled ? nil : .failed(error)
    }
  }

  /// Ends the slot's workers, to be replaced when they are needed again.
  package func retire() {
    for seat in seats { seat.retire() }
    handedOver = nil
    scratch = nil
  }

  /// Ends the slot's workers and starts no other.
  package func cancel() {
    lock.withLock { isCancelled = true }
    for seat in seats { seat.cancel() }
  }

  /// How long it may take to end a metric's program with all that it has started.
  private static let endingSeconds = 12.0

  static let misunderstanding = Failure(kind: .broken, message: ReplyCheck.Lie().description)

  var cancelled: Bool { lock.withLock { isCancelled } }

  private var seats: [WorkerSeat] { [system] + lock.withLock { Array(builds.values) } }

  /// Seconds that the run's commands may take beside a point's own.
  func commandSeconds(beside seconds: Double) -> Double {
    // Each command may use its time up, and ending what it has started takes a moment.
    (seconds + Self.endingSeconds) * Double(configuration.externalMetrics.count)
  }

  private func answer(
    _ request: MeasureRequest, _ key: PointKey, _ file: ImageFile, _ report: inout Report
  ) throws -> Answer {
    let start = MonotonicClock.now()
    if let problem = try open(file, for: key.variant.build, &report) { return problem }
    report.openingSeconds = Double(MonotonicClock.now() - start) / 1e9
    let seat = seat(key.variant.build)
    guard let worker = try seat.ready() else { return .cancelled }
    seat.encodes += request.repeats
    let seconds = request.commandSeconds
    do throws(Failure) {
      let reply = try worker.ask(.measure(request), within: seconds + commandSeconds(beside: seconds))
      guard case .outcome(let outcome, let peak) = reply else { throw Self.misunderstanding }
      report.peakBytes = peak
      guard request.leavesFile, case .measured(let measurement) = outcome else { return .outcome(outcome) }
      return .outcome(try scored(measurement, key, seconds))
    } catch {
      retire()
      return cancelled ? .cancelled : .outcome(.failed(error))
    }
  }

  /// A build's measurement with the scores of its file, which the system's worker decodes.
  private func scored(
    _ measurement: Model.Measurement, _ key: PointKey, _ seconds: Double
  ) throws(Failure) -> PointOutcome {
    guard let worker = try? system.ready() else {
      throw Failure(kind: .broken, message: "no worker is there to score it")
    }
    let request = EncodedScoreRequest(
      variant: key.variant, quality: key.quality,
      libraries: LibrarySpelling.halves(of: key.libraries).decoder, commandSeconds: seconds)
    switch try worker.ask(.score(request), within: seconds + commandSeconds(beside: seconds)) {
    case .scored(let file): return .measured(try file.joined(to: measurement))
    case .failed(let failure): return .failed(failure)
    default: throw Self.misunderstanding
    }
  }

  /// Has the system's worker leave the pixels of an image for those of builds, unless they are there. Returns nil
  /// when they are.
  func handOver(_ file: ImageFile) throws -> Answer? {
    guard handedOver != file.identity else { return nil }
    guard let worker = try system.ready() else { return .cancelled }
    let seconds = configuration.timeout(pixels: file.pixels, repeats: 1)
    var report = Report(answer: .cancelled)
    if let problem = open(file, in: worker, within: seconds, &report) { return problem }
    do throws(Failure) {
      try settle(worker.ask(.handOver, within: seconds))
      handedOver = file.identity
      return nil
    } catch {
      retire()
      return cancelled ? .cancelled : .outcome(.failed(error))
    }
  }

  /// Opens the image with the system's libraries, and hands its pixels to a build's worker, unless it is open.
  /// Returns nil when it is.
  func open(_ file: ImageFile, for build: String?, _ report: inout Report) throws -> Answer? {
    guard let worker = try system.ready() else { return .cancelled }
    let seconds = configuration.timeout(pixels: file.pixels, repeats: 1)
    if let problem = open(file, in: worker, within: seconds, &report) { return problem }
    guard let build else { return nil }
    let seat = seat(build)
    guard let other = try seat.ready() else { return .cancelled }
    guard seat.openImage != file.identity else { return nil }
    if let problem = try handOver(file) { return problem }
    do throws(Failure) {
      try settle(other.ask(.take(TakeRequest(identity: file.identity)), within: seconds))
      seat.openImage = file.identity
      return nil
    } catch {
      retire()
      return cancelled ? .cancelled : .outcome(.failed(error))
    }
  }

  private func settle(_ reply: WorkerReply) throws(Failure) {
    switch reply {
    case .done: return
    case .failed(let failure): throw failure
    default: throw Self.misunderstanding
    }
  }

  func open(
    _ file: ImageFile, in worker: WorkerProcess, within seconds: Double, _ report: inout Report
  ) -> Answer? {
    guard system.openImage != file.identity else { return nil }
    system.openImage = nil
    handedOver = nil
    do throws(Failure) {
      guard case .image(let record) = try worker.ask(.open(file), within: seconds) else {
        throw Self.misunderstanding
      }
      guard record.problem == nil else { return .unusable(record) }
      system.openImage = file.identity
      report.image = record
      return nil
    } catch {
      retire()
      return cancelled ? .cancelled : .lostOpening(error)
    }
  }

  /// The worker with these libraries.
  func seat(_ build: String?) -> WorkerSeat {
    guard let build else { return system }
    return lock.withLock {
      if let known = builds[build] { return known }
      let seat = makeSeat(build)
      if isCancelled { seat.cancel() }
      builds[build] = seat
      return seat
    }
  }

  private func makeSeat(_ build: String?) -> WorkerSeat {
    WorkerSeat(renewAfter: configuration.renewAfter) { [unowned self] in try launch(build) }
  }

  private func launch(_ build: String?) throws -> WorkerLaunch {
    var launch = launch
    if !configuration.externalMetrics.isEmpty || !configuration.builds.isEmpty {
      let folder = try scratch ?? ScratchFolder()
      scratch = folder
      launch.setup.scratchFolder = folder.path
    }
    guard let build else { return launch }
    launch.build = configuration.builds.first { $0.name == build }
    if !configuration.scoresThroughBuild { (launch.setup.metrics, launch.setup.externalMetrics) = ([], []) }
    return launch
  }
}
