import Foundation
package import Model

/// A place for a worker with the system's libraries and for one of each build that the run compares: opens images and
/// sends questions to the right worker.
///
/// One operation at a time uses a slot; `cancel` and `interrupt` may come from any thread. Asking throws `WorkerStartError` if no
/// worker can be started.
package final class WorkerSlot: @unchecked Sendable {
  // Sendable because `builds` and the two flags are under `lock` and the rest belongs to the one operation.

  package let configuration: RunnerConfiguration
  private let launch: WorkerLaunch
  private let lock = NSLock()
  private var builds: [String: ReplaceableWorker] = [:]
  private var isCancelled = false
  private var isInterrupted = false
  /// The worker with the system's libraries, which decodes sources and scores.
  private lazy var system = makeWorker(nil)
  /// The image whose pixels the system's worker has written for those of builds.
  private var handedOver: ImageIdentity?
  private var scratch: ScratchFolder?
  /// The highest resident memory of the worker that measured the last point, bytes; nil if it did not tell.
  package internal(set) var peakBytes: Int?

  package init(_ configuration: RunnerConfiguration, preparation: Preparation, metrics: [String] = []) {
    launch = configuration.launch(preparation: preparation, metrics: metrics)
    self.configuration = configuration
    _ = system
  }

  package var started: Int { workers.reduce(0) { $0 + $1.started } }

  /// The sandbox that all workers have in common; nil before the first worker.
  package var sandbox: SandboxStatus? { SandboxStatus.common(workers.compactMap(\.sandbox)) }

  var openImage: ImageIdentity? { system.openImage }

  package func retire() {
    for worker in workers { worker.retire() }
    handedOver = nil
    scratch = nil
  }

  package func cancel() {
    lock.withLock { isCancelled = true }
    for worker in workers { worker.cancel() }
  }

  /// Kills the slot's workers, so that its job ends early: all questions are answered with `cancelled` until `resume`.
  func interrupt() {
    lock.withLock { isInterrupted = true }
    for worker in workers { worker.kill() }
  }

  func resume() {
    let wasInterrupted = lock.withLock {
      defer { isInterrupted = false }
      return isInterrupted
    }
    if wasInterrupted { retire() }
  }

  /// True if a question to a worker with these libraries would not have to wait for a start.
  func isReady(_ build: String?) -> Bool { worker(build).isReady }

  func start(_ build: String? = nil) throws { _ = try worker(build).ready() }

  var encodes: Int { workers.reduce(0) { $0 + $1.encodes } }

  /// Asks a worker a question that needs no image, and leaves none open. `attachment` travels behind the question.
  package func ask<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], build: String? = nil, encodes: Int = 0,
    within seconds: Double
  ) throws -> Response<Asked.Answer> {
    worker(build).openImage = nil
    return try put(question, attachment, to: build, encodes: encodes, within: seconds)
  }

  package func ask<Asked: Question>(
    _ question: Asked, about file: ImageFile, build: String? = nil, encodes: Int = 0, within seconds: Double
  ) throws -> Response<Asked.Answer> {
    try open(file, for: build).map { _ in
      try put(question, to: build, encodes: encodes, within: seconds)
    }
  }

  /// Asks about the worker's open image. `encodes` counts towards its renewal.
  package func put<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], to build: String?, encodes: Int = 0,
    within seconds: Double
  ) throws -> Response<Asked.Answer> {
    let worker = worker(build)
    // A start takes a while, in which the job may be dropped.
    guard !cancelled, let process = try worker.ready(), !cancelled else { return .cancelled }
    worker.encodes += encodes
    do throws(Failure) {
      return try process.ask(question, attachment, within: seconds)
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
      let worker = worker(build)
      guard try worker.ready() != nil else { return .cancelled }
      guard worker.openImage != file.identity else { return .answered(record) }
      return try handOver(file).map { _ in
        try put(TakeRequest(identity: file.identity), to: build, within: seconds(file)).map { _ in
          worker.openImage = file.identity
          return .answered(record)
        }
      }
    }
  }

  /// Makes the system's worker write the pixels of an image for builds, unless they are there.
  package func handOver(_ file: ImageFile) throws -> Response<Void> {
    guard handedOver != file.identity else { return .answered(()) }
    return try openInSystem(file).map { _ in
      try put(HandOverRequest(), to: nil, within: seconds(file)).map { _ in
        handedOver = file.identity
        return .answered(())
      }
    }
  }

  /// Opens an image by another question than `OpenRequest`, for the questions that belong to it.
  package func open<Opening: Question>(
    _ file: ImageFile, by question: Opening
  ) throws -> Response<ImageRecord> where Opening.Answer == ImageRecord {
    (system.openImage, handedOver) = (nil, nil)
    return try opened(file, by: question)
  }

  /// Opens an image anew. With a build, the system's worker retires once its pixels are handed over: two copies are not
  /// needed.
  package func openAgain(_ file: ImageFile, for build: String?) throws -> Response<ImageRecord> {
    system.openImage = nil
    if let build { worker(build).openImage = nil }
    return try open(file, for: build).map { record in
      if build != nil { system.retire() }
      return record.map { .answered($0) } ?? .cancelled
    }
  }

  private func openInSystem(_ file: ImageFile) throws -> Response<ImageRecord?> {
    // An old worker is replaced before its image counts as open.
    guard try system.ready() != nil else { return .cancelled }
    guard system.openImage != file.identity else { return .answered(nil) }
    (system.openImage, handedOver) = (nil, nil)
    return try opened(file, by: OpenRequest(file: file)).map { record in
      system.openImage = file.identity
      return .answered(record)
    }
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
          identity: file.identity, preparation: launch.setup.preparation.canonicalSpelling,
          fileBytes: file.fileBytes, problem: response.failure))
    }
  }

  /// The time limit, in seconds, for ending a metric's program with all that it has started.
  private static let endingSeconds = 12.0

  /// The time limit of the run's commands beyond a point's own, seconds.
  package func commandSeconds(beside seconds: Double) -> Double {
    // Each command may use up its time, and ending what it has started takes a moment.
    (seconds + Self.endingSeconds) * Double(configuration.externalMetrics.count)
  }

  package var cancelled: Bool { lock.withLock { isCancelled || isInterrupted } }

  private var workers: [ReplaceableWorker] { [system] + lock.withLock { Array(builds.values) } }

  func worker(_ build: String?) -> ReplaceableWorker {
    guard let build else { return system }
    return lock.withLock {
      if let known = builds[build] { return known }
      let worker = makeWorker(build)
      if isCancelled { worker.cancel() }
      builds[build] = worker
      return worker
    }
  }

  private func makeWorker(_ build: String?) -> ReplaceableWorker {
    ReplaceableWorker(renewAfter: configuration.renewAfter) { [unowned self] in try launch(build) }
  }

  private func launch(_ build: String?) throws -> WorkerLaunch {
    var launch = launch
    if configuration.sharesFiles, !configuration.externalMetrics.isEmpty || !configuration.builds.isEmpty {
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
