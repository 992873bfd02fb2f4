import CProcessShim
import CodecKit
import Foundation
import Model
import Pixels
import Workers

/// A file to read by a route, without opening an image.
struct ReadRequest: Question {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  var key: Case
  /// Timed decodes, at least 1.
  var repeats: Int
  var share = Share.everything

  /// One worker's share of a read. A build's worker reads for its own times; the result is scored through the system's
  /// decoder, as in a sweep.
  enum Share: String, Codable, Sendable {
    /// Times, memory and scores.
    case everything
    /// Times and memory of the worker's own libraries.
    case cost
    /// Scores of another worker's file, without times.
    case scores
    /// Times of decodes of a whole file as it is, on one core, never reusing a time.
    case times
  }

  init(path: [UInt8], key: Case, repeats: Int, share: Share = .everything) {
    (self.path, self.key, self.repeats, self.share) = (Data(path), key, repeats, share)
  }

  var expectedSamples: Int { share == .scores ? 0 : repeats }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<Figures> {
    guard share == .times else { return Reply(try measurer(in: session).measure(self)) }
    let timer = session[ReadTimer.self] ?? ReadTimer(setup: session.setup, registry: session.registry)
    (session.image, session[ReadMeasurer.self], session[ReadTimer.self]) = (nil, nil, timer)
    return Reply(try timer.time(self))
  }

  func checked(
    _ figures: Figures, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Figures {
    if let problem = figures.impossibility(of: key.way, repeats: expectedSamples) {
      throw .init(detail: problem)
    }
    var figures = figures
    figures.format = figures.format.map(check.clean)
    figures.remarks = try check.clean(figures.remarks)
    return figures
  }

  /// Opens the file; the last one stays open.
  fileprivate func measurer(in session: WorkerSession) throws(PointProblem) -> ReadMeasurer {
    session.image = nil
    let source = ReadMeasurer.Source(image: key.image, encoding: key.encoding)
    if let file = session[ReadMeasurer.self], file.source == source { return file }
    session[ReadMeasurer.self] = nil
    hb_trim_memory()
    let opened = try ReadMeasurer(
      self, setup: session.setup, registry: session.registry, peak: session.peak)
    session[ReadMeasurer.self] = opened
    return opened
  }
}

/// A request for the picture that a read delivers, as a PNG behind the answer.
struct ShowRequest: Question {
  var read: ReadRequest

  struct Answer: Codable, Sendable {
    var width, height: Int
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<Answer> {
    let shown = try read.measurer(in: session).picture(of: read)
    return Reply(
      Answer(width: shown.width, height: shown.height),
      attachment: try session.registry.writer.preview(shown))
  }

  func checked(
    _ answer: Answer, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Answer {
    try check.check(width: answer.width, height: answer.height)
    return answer
  }

  func attachment(of answer: Answer, by _: AnswerCheck) -> ClosedRange<Int> {
    1...RenderRequest.mostBytes(pixels: answer.width * answer.height)
  }
}

extension WorkerSlot {
  /// Reads a file by a route. The system's decoder scores what a build's worker has read, as in a sweep, unless builds
  /// score their own files.
  func read(
    _ request: ReadRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<Figures> {
    try readable(request, of: file).map { _ in
      var (own, scores) = (request, request)
      let isScored =
        request.key.build != nil && request.share == .everything && !configuration.scoresThroughBuild
      if isScored { own.share = .cost }
      let cost = try ask(own, build: request.key.build, within: seconds).answer()
      guard isScored, case .answered(let figures) = cost else { return cost }
      scores.share = .scores
      return Self.joined(figures, scored: try ask(scores, within: seconds).answer())
    }
  }

  /// Makes sure that a build's worker finds the pixels from which a read of an encode begins.
  private func readable(_ request: ReadRequest, of file: ImageFile) throws -> Response<Void> {
    guard request.key.build != nil, request.key.encoding != nil else { return .answered(()) }
    return try handOver(file)
  }

  /// Combines a build's figures with the scores through the system's decoder. A file that only the build can read has
  /// none.
  private static func joined(
    _ figures: Figures, scored: Response<Figures>
  ) -> Response<Figures> {
    var figures = figures
    switch scored {
    case .cancelled: return .cancelled
    case .answered(let scored):
      guard
        (scored.fileBytes, scored.width, scored.height)
          == (figures.fileBytes, figures.width, figures.height)
      else {
        figures.remarks.append("not scored: the system's decoder makes another picture of it")
        break
      }
      figures.ssimulacra2 = scored.ssimulacra2
      figures.alignedSSIMULACRA2 = scored.alignedSSIMULACRA2
      figures.ceilingSSIMULACRA2 = scored.ceilingSSIMULACRA2
      figures.originalSSIMULACRA2 = scored.originalSSIMULACRA2
      figures.psnrLuma = scored.psnrLuma
    case .unsupported(let reason):
      figures.remarks.append("not scored: the system's decoder says: \(reason)")
    case .failed, .unusable:
      guard let failure = scored.failure else { break }
      if failure.isWorthRetrying { return .failed(failure) }
      figures.remarks.append("not scored: the system's decoder says: \(failure.message)")
    }
    return .answered(figures)
  }

  /// Returns the picture that a read delivers, as PNG, by the libraries of the read.
  func show(
    _ request: ReadRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<[UInt8]> {
    try readable(request, of: file).map { _ in
      try ask(ShowRequest(read: request), build: request.key.build, within: seconds).map {
        .answered($0.attachment)
      }
    }
  }
}
