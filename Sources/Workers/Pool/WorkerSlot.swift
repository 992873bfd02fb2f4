import Foundation
package import Model

/// A place for a worker with the system's libraries and for one of each build that the run compares: it opens images
/// and sends questions to the right worker.
///
/// One operation at a time uses a slot; any thread may call `cancel` and `interrupt`. Asking throws `WorkerStartError`
/// if no worker can be started.
package final class WorkerSlot: @unchecked Sendable {
  // Sendable because the two flags and all changes to `workers` are under `lock`, and the rest belongs to the one
  // operation.

  private struct Worker {
    let process: WorkerProcess
    var openImage: ImageIdentity?
    var encodes = 0
  }

  private static let startsAtMost = 3

  package let configuration: RunnerConfiguration
  private let setup: WorkerSetup
  private let lock = NSLock()
  /// By build; nil for the worker with the system's libraries, which decodes sources and scores.
  private var workers: [String?: Worker] = [:]
  private var isCancelled = false
  private var isInterrupted = false
  package private(set) var started = 0
  /// The sandbox that all workers so far have had in common; nil before the first worker.
  package private(set) var sandbox: SandboxStatus?
  /// Each encoder's own list of the settings it ran with, by the variant's name; empty if it does not give one.
  package internal(set) var settingsAsRun: [String: String] = [:]
  /// The image whose pixels the system's worker has written for the workers of builds.
  private var handedOver: ImageIdentity?
  private var scratch: ScratchFolder?
  /// The highest resident memory of the worker that measured the last point, bytes; nil if it did not say.
  package internal(set) var peakBytes: Int?

  init(_ configuration: RunnerConfiguration, preparation: Preparation, metrics: [String]) {
    setup = configuration.setup(preparation: preparation, metrics: metrics)
    self.configuration = configuration
  }

  var openImage: ImageIdentity? { workers[nil]?.openImage }

  var encodes: Int { workers.values.reduce(0) { $0 + $1.encodes } }

  package func retire() {
    for build in workers.keys { retire(build) }
    handedOver = nil
    scratch = nil
  }

  private func retire(_ build: String?) {
    lock.withLock { workers.removeValue(forKey: build) }?.process.kill()
  }

  package func cancel() {
    lock.withLock {
      isCancelled = true
      for worker in workers.values { worker.process.kill() }
    }
  }

  /// Kills the slot's workers, so that its job ends early: all questions are answered with `cancelled` until `resume`.
  func interrupt() {
    lock.withLock {
      isInterrupted = true
      for worker in workers.values { worker.process.kill() }
    }
  }

  func resume() {
    let wasInterrupted = lock.withLock {
      defer { isInterrupted = false }
      return isInterrupted
    }
    if wasInterrupted { retire() }
  }

  package var cancelled: Bool { lock.withLock { isCancelled || isInterrupted } }

  /// True if a question to a worker with these libraries would not have to wait for the worker to start.
  func isReady(_ build: String?) -> Bool {
    workers[build].map { $0.encodes < configuration.renewAfter } ?? false
  }

  /// The worker with a build's libraries, replaced if missing or, with `renews`, old; nil once cancelled.
  @discardableResult
  func start(_ build: String? = nil, renews: Bool = true) throws -> WorkerProcess? {
    if let worker = workers[build] {
      if !renews || worker.encodes < configuration.renewAfter { return cancelled ? nil : worker.process }
      retire(build)
    }
    var startsLeft = Self.startsAtMost
    while true {
      startsLeft -= 1
      do { return try freshWorker(build) } catch let error as WorkerStartError {
        guard error.wasKilled, startsLeft > 0 else { throw error }
      }
    }
  }

  private func freshWorker(_ build: String?) throws -> WorkerProcess? {
    guard !cancelled else { return nil }
    let fresh = try process(build)
    started += 1
    // `cancel` must know the worker before it has begun, which may take a while on a busy machine.
    let isWanted = lock.withLock {
      let isWanted = !isCancelled && !isInterrupted
      if isWanted { workers[build] = Worker(process: fresh) }
      return isWanted
    }
    guard isWanted else { return nil }
    do { try fresh.begin() } catch {
      retire(build)
      // If the worker was killed before it was ready, that says nothing about the program.
      if cancelled { return nil }
      throw error
    }
    sandbox = SandboxStatus.common([sandbox, fresh.sandbox].compactMap(\.self))
    return fresh
  }

  private func process(_ build: String?) throws -> WorkerProcess {
    try WorkerProcess(
      configuration, setup(for: build), build: configuration.builds.first { $0.name == build })
  }

  /// The setup of a worker with a build's libraries; nil for the system's.
  func setup(for build: String?) throws -> WorkerSetup {
    var setup: WorkerSetup = setup
    setup.build = build
    if configuration.sharesFiles, !configuration.externalMetrics.isEmpty || !configuration.builds.isEmpty {
      let folder = try scratch ?? ScratchFolder()
      scratch = folder
      setup.scratchFolder = folder.path
    }
    if build != nil, !configuration.scoresThroughBuild { (setup.metrics, setup.externalMetrics) = ([], []) }
    return setup
  }

  private func note(_ open: ImageIdentity?, in build: String?) {
    lock.withLock { workers[build]?.openImage = open }
  }

  func count(encodes: Int, of build: String?) { lock.withLock { workers[build]?.encodes += encodes } }

  /// Asks a worker a question that does not need an image, and leaves no image open. `attachment` follows the question.
  package func ask<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], build: String? = nil, encodes: Int = 0,
    within seconds: Double
  ) throws -> Response<Asked.Answer> {
    note(nil, in: build)
    return try put(question, attachment, to: build, encodes: encodes, within: seconds)
  }

  package func ask<Asked: Question>(
    _ question: Asked, about file: ImageFile, build: String? = nil, encodes: Int = 0, within seconds: Double
  ) throws -> Response<Asked.Answer> {
    try open(file, for: build).map { _ in
      try put(question, to: build, encodes: encodes, within: seconds)
    }
  }

  /// Asks about the worker's open image. `encodes` counts towards its renewal. Without `renews` it is asked however old
  /// it is, since the question is about what the last one left in it.
  package func put<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], to build: String?, encodes: Int = 0, renews: Bool = true,
    within seconds: Double
  ) throws -> Response<Asked.Answer> {
    // The job may be dropped while the worker starts.
    guard let process = try start(build, renews: renews), !cancelled else { return .cancelled }
    count(encodes: encodes, of: build)
    do throws(Failure) {
      let response = try process.ask(question, attachment, within: seconds)
      if let answer = response.value { configuration.remarks?.add(question.remarks(in: answer)) }
      return response
    } catch {
      retire()
      return cancelled ? .cancelled : .failed(error)
    }
  }

  /// Opens an image with the system's libraries and hands its pixels to a build's worker, unless it is already open.
  /// Answers with the image's record if it had to be decoded.
  package func open(_ file: ImageFile, for build: String? = nil) throws -> Response<ImageRecord?> {
    guard let build else { return try openInSystem(file) }
    return try openInSystem(file).map { record in
      guard try start(build) != nil else { return .cancelled }
      guard workers[build]?.openImage != file.identity else { return .answered(record) }
      return try handOver(file).map { _ in
        try put(TakeQuestion(identity: file.identity), to: build, within: seconds(file)).map { _ in
          note(file.identity, in: build)
          return .answered(record)
        }
      }
    }
  }

  /// Makes the system's worker write the pixels of an image for builds, unless they are already there.
  package func handOver(_ file: ImageFile) throws -> Response<Void> {
    guard handedOver != file.identity else { return .answered(()) }
    return try openInSystem(file).map { _ in
      try put(HandOverQuestion(), to: nil, within: seconds(file)).map { _ in
        handedOver = file.identity
        return .answered(())
      }
    }
  }

  /// Opens an image with a question other than `OpenQuestion`, for the questions that belong to it.
  package func open<Opening: Question>(
    _ file: ImageFile, by question: Opening
  ) throws -> Response<ImageRecord> where Opening.Answer == ImageRecord {
    forgetImage()
    return try opened(file, by: question)
  }

  /// Opens an image again. With a build, the system's worker retires once its pixels are handed over: two copies are
  /// not needed.
  package func openAgain(_ file: ImageFile, for build: String?) throws -> Response<ImageRecord> {
    note(nil, in: nil)
    note(nil, in: build)
    return try open(file, for: build).map { record in
      if build != nil { retire(nil) }
      return record.map { .answered($0) } ?? .cancelled
    }
  }

  private func openInSystem(_ file: ImageFile) throws -> Response<ImageRecord?> {
    // An old worker is replaced before its image counts as open.
    guard try start() != nil else { return .cancelled }
    guard openImage != file.identity else { return .answered(nil) }
    forgetImage()
    return try opened(file, by: OpenQuestion(file: file)).map { record in
      note(file.identity, in: nil)
      return .answered(record)
    }
  }

  private func forgetImage() {
    note(nil, in: nil)
    handedOver = nil
  }

  private func opened<Opening: Question>(
    _ file: ImageFile, by question: Opening
  ) throws -> Response<ImageRecord> where Opening.Answer == ImageRecord {
    let response = try put(question, to: nil, within: seconds(file))
    switch response {
    case .answered(let record): return record.problem == nil ? response : .unusable(record)
    case .cancelled: return .cancelled
    case .failed, .unusable:
      return .unusable(
        ImageRecord(
          identity: file.identity, preparation: setup.preparation.canonicalSpelling,
          fileBytes: file.fileBytes, problem: response.failure))
    }
  }
}
