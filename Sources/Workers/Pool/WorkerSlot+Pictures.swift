import Foundation
package import Model

/// Why a worker did not give what it was asked for.
package enum WorkerLoss: Error, Sendable {
  /// The image, or what it was compared with, cannot be used, or the worker was lost at it.
  case opening(Failure)
  /// It could not be done, or the worker was lost while it did it.
  case asked(Failure)
  /// The worker was told to stop.
  case cancelled

  /// The reason; nil after a cancellation.
  package var failure: Failure? {
    switch self {
    case .opening(let failure), .asked(let failure): failure
    case .cancelled: nil
    }
  }
}

/// What is asked for besides measuring. The worker with the system's libraries does it.
extension WorkerSlot {
  /// The image that is open; nil for none.
  var openImage: ImageIdentity? { system.openImage }

  /// Makes files and pictures of an image. Throws `WorkerStartError` when no worker can be started.
  package func render(
    _ request: RenderRequest, of file: ImageFile
  ) throws -> Result<RenderedImage, WorkerLoss> {
    system.encodes += 1
    return try ask(.render(request), about: file, within: seconds(file)).flatMap { reply, files in
      guard case .rendered(let figures) = reply else { return misunderstood(reply) }
      return .success(RenderedImage(figures, of: request, payload: files))
    }
  }

  /// Scores another file against an image, by the metrics that the worker was started with. Throws
  /// `WorkerStartError` when none can be started.
  package func compare(
    _ distorted: ImageFile, with file: ImageFile
  ) throws -> Result<[String: Double], WorkerLoss> {
    try ask(.compare(distorted), about: file, within: seconds(distorted)).flatMap { reply, _ in
      guard case .scores(let scores) = reply else { return misunderstood(reply) }
      return .success(scores)
    }
  }

  /// Scores a file against another, as `compare` does, with less work where no other file follows. Throws
  /// `WorkerStartError` when no worker can be started.
  package func score(
    _ distorted: ImageFile, against file: ImageFile, usesTwoThreads: Bool
  ) throws -> Result<[String: Double], WorkerLoss> {
    guard let worker = try system.ready() else { return .failure(.cancelled) }
    system.openImage = nil
    let request = PairRequest(reference: file, distorted: distorted, usesTwoThreads: usesTwoThreads)
    do throws(Failure) {
      switch try worker.ask(.pair(request), within: seconds(file) + seconds(distorted)) {
      case .scores(let scores): return .success(scores)
      case .image(let record): return .failure(.opening(record.problem ?? Self.misunderstanding))
      case let reply: return misunderstood(reply)
      }
    } catch {
      retire()
      // One after the other shows which of the two the worker was lost at.
      return cancelled ? .failure(.cancelled) : try compare(distorted, with: file)
    }
  }

  /// Gives the picture that a read delivers, as PNG, by the libraries of the read. Throws `WorkerStartError` when no
  /// worker can be started.
  package func show(
    _ request: ReadRequest, of file: ImageFile, within seconds: Double
  ) throws -> Result<[UInt8], WorkerLoss> {
    if request.key.build != nil, request.key.encoding != nil {
      switch try handOver(file) {
      case nil: break
      case .unusable(let record): return .failure(.asked(record.problem ?? Self.misunderstanding))
      case .lostOpening(let failure), .outcome(.failed(let failure)): return .failure(.asked(failure))
      case .outcome: return .failure(.asked(Self.misunderstanding))
      case .cancelled: return .failure(.cancelled)
      }
    }
    let seat = seat(request.key.build)
    guard let worker = try seat.ready() else { return .failure(.cancelled) }
    seat.openImage = nil
    do throws(Failure) {
      let (reply, picture) = try worker.askForFiles(.show(request), within: seconds)
      guard case .shown = reply else { return misunderstood(reply) }
      return .success(picture)
    } catch {
      retire()
      return .failure(cancelled ? .cancelled : .asked(error))
    }
  }

  /// Looks at a file that another encoder made of an image, and scores it by the metrics that the worker was started
  /// with. Throws `WorkerStartError` when none can be started.
  package func judge(
    _ imported: ImageFile, of file: ImageFile
  ) throws -> Result<ImportedMeasurement, WorkerLoss> {
    // Both are decoded, and both are looked at in small.
    let seconds = 2 * seconds(imported)
    return try ask(
      .judge(imported, commandSeconds: seconds), about: file,
      within: seconds + commandSeconds(beside: seconds)
    ).flatMap { reply, _ in
      guard case .judged(let measurement) = reply else { return misunderstood(reply) }
      return .success(measurement)
    }
  }

  /// Cuts an image into tiles and measures that; nil once cancelled. Throws `WorkerStartError` when no worker can be
  /// started.
  package func cut(
    _ request: TilingRequest, of file: ImageFile, within seconds: Double
  ) throws -> Outcome<TilingMeasurement>? {
    if let build = request.key.variant.build {
      return try cut(request, of: file, with: build, within: seconds)
    }
    let answer: Result<Outcome<TilingMeasurement>, WorkerLoss> = try ask(
      .cut(request), about: file, within: seconds
    )
    .flatMap { reply, _ in
      guard case .cut(let outcome) = reply else { return misunderstood(reply) }
      return .success(outcome)
    }
    return answer.outcome()
  }

  /// Cuts with the libraries of a build, which also decode and score its tiles.
  private func cut(
    _ request: TilingRequest, of file: ImageFile, with build: String, within seconds: Double
  ) throws -> Outcome<TilingMeasurement>? {
    var report = Report(answer: .cancelled)
    switch try open(file, for: build, &report) {
    case nil: break
    case .unusable(let record): return .failed(record.problem ?? Self.misunderstanding)
    case .lostOpening(let failure), .outcome(.failed(let failure)): return .failed(failure)
    case .cancelled: return nil
    case .outcome: return .failed(Self.misunderstanding)
    }
    guard let worker = try seat(build).ready() else { return nil }
    return ask(worker, .cut(request), within: seconds) { reply in
      if case .cut(let outcome) = reply { outcome } else { nil }
    }
  }

  /// Encodes an image over and over; nil once cancelled. Throws `WorkerStartError` when no worker can be started.
  package func generations(
    _ request: GenerationChainRequest, of file: ImageFile
  ) throws -> Outcome<[Generation]>? {
    system.encodes += request.count
    let seconds = configuration.timeout(pixels: file.pixels, repeats: request.count)
    let answer: Result<Outcome<[Generation]>, WorkerLoss> = try ask(
      .generations(request), about: file, within: seconds
    ).flatMap { reply, _ in
      guard case .generations(let outcome) = reply else { return misunderstood(reply) }
      return .success(outcome)
    }
    return answer.outcome()
  }

  private func seconds(_ file: ImageFile) -> Double {
    configuration.timeout(pixels: file.pixels, repeats: 1)
  }

  private func ask(
    _ request: WorkerRequest, about file: ImageFile, within seconds: Double
  ) throws -> Result<(WorkerReply, [UInt8]), WorkerLoss> {
    guard let worker = try system.ready() else { return .failure(.cancelled) }
    var report = Report(answer: .cancelled)
    switch open(file, in: worker, within: self.seconds(file), &report) {
    case nil: break
    case .unusable(let record): return .failure(.opening(record.problem ?? Self.misunderstanding))
    case .lostOpening(let failure): return .failure(.opening(failure))
    case .cancelled, .outcome: return .failure(.cancelled)
    }
    do throws(Failure) {
      return .success(try worker.askForFiles(request, within: seconds))
    } catch {
      retire()
      return .failure(cancelled ? .cancelled : .asked(error))
    }
  }

  /// The worker says that it cannot, or answers another question, which it does not survive.
  private func misunderstood<Value>(_ reply: WorkerReply) -> Result<Value, WorkerLoss> {
    if case .failed(let failure) = reply { return .failure(.asked(failure)) }
    retire()
    return .failure(.asked(Self.misunderstanding))
  }
}

extension Result where Failure == WorkerLoss {
  /// The outcome, in which a failure can stand itself; nil after a cancellation.
  fileprivate func outcome<Value>() -> Success? where Success == Outcome<Value> {
    switch self {
    case .success(let outcome): outcome
    case .failure(let loss): loss.failure.map { .failed($0) }
    }
  }
}
