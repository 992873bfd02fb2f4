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
  /// A point of the same encode; nil if the store has none.
  var known: KnownEncode?
  /// The time limit of each external metric, seconds.
  var commandSeconds = 0.0
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
  }

  /// An encode that was measured before, whose score holds for the same bytes.
  struct KnownEncode: Codable, Sendable {
    /// SHA-256, 64 hexadecimal digits.
    var hash: String
    var score: Double
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Figures {
    try measurer(in: session).measure(self)
  }

  func verify(_ figures: inout Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    if let problem = figures.impossibility(of: key.way, repeats: share == .scores ? 0 : repeats) {
      throw .init(detail: problem)
    }
    let setup = check.setup
    try check.check(
      figures.scores,
      asked: setup.metrics + setup.externalMetrics.map(\.id) + ReadScore.allCases.map(\.name))
    figures.format = figures.format.map(check.clean)
    figures.failedScores = try check.checked(failedScores: figures.failedScores)
    figures.remarks = try check.clean(figures.remarks)
  }

  /// Opens the file; the last one stays open.
  fileprivate func measurer(in session: WorkerSession) throws -> ReadMeasurer {
    session.image = nil
    if let file = session[ReadMeasurer.self], file.holds(key) { return file }
    session[ReadMeasurer.self] = nil
    hb_trim_memory()
    let opened = try ReadMeasurer(self, session)
    session[ReadMeasurer.self] = opened
    return opened
  }
}

/// A request for the picture that a read delivers, as a PNG behind the answer.
struct ShowRequest: Question {
  var read: ReadRequest

  struct Size: Codable, Sendable {
    var width, height: Int
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Attached<Size> {
    let shown = try read.measurer(in: session).picture(of: read)
    return Attached(
      Size(width: shown.width, height: shown.height), try session.registry.writer.preview(shown))
  }

  func verify(_ answer: inout Attached<Size>, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(width: answer.body.width, height: answer.body.height)
  }

  func attachment(of answer: Attached<Size>, by _: AnswerCheck) -> ClosedRange<Int> {
    1...RenderRequest.mostBytes(pixels: answer.body.width * answer.body.height)
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
      let isScored = request.key.build != nil && !configuration.scoresThroughBuild
      if isScored { own.share = .cost }
      let limit = seconds + commandSeconds(beside: seconds)
      let cost = try ask(own, build: request.key.build, within: limit)
      guard isScored, case .answered(let figures) = cost else { return cost }
      scores.share = .scores
      return Self.joined(figures, scored: try ask(scores, within: limit))
    }
  }

  /// Makes sure that a build's worker finds the pixels from which a read of an encode begins.
  private func readable(_ request: ReadRequest, of file: ImageFile) throws -> Response<Void> {
    guard request.key.build != nil, request.key.encodedAt != nil else { return .answered(()) }
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
      guard scored.encodedBytes == figures.encodedBytes, scored[.width] == figures[.width],
        scored[.height] == figures[.height]
      else {
        figures.remarks.append("not scored: the system's decoder makes another picture of it")
        break
      }
      (figures.scores, figures.failedScores) = (scored.scores, scored.failedScores)
    case .failed(let failure):
      if failure.isWorthRetrying { return .failed(failure) }
      figures.remarks.append("not scored: the system's decoder says: \(failure.message)")
    case .unusable:
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
        .answered($0.bytes)
      }
    }
  }
}
