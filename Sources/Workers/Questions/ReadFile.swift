import CProcessShim
import CodecKit
import Foundation
package import Model
import Pixels

/// A file to read by a route, without opening an image.
package struct ReadRequest: Question {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  var key: Case
  /// Timed decodes, at least 1.
  var repeats: Int
  var share = Share.everything

  /// One worker's share of a read. A build's worker reads for its own times; the result is scored through the system's
  /// decoder, as in a sweep.
  package enum Share: String, Codable, Sendable {
    /// Times, memory and scores.
    case everything
    /// Times and memory of the worker's own libraries.
    case cost
    /// Scores of another worker's file, without times.
    case scores
    /// Times of decodes of a whole file as it is, on one core, never reusing a time.
    case times
  }

  package init(path: [UInt8], key: Case, repeats: Int, share: Share = .everything) {
    (self.path, self.key, self.repeats, self.share) = (Data(path), key, repeats, share)
  }

  var expectedSamples: Int { share == .scores ? 0 : repeats }

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<Figures> {
    guard share == .times else { return Reply(try measurer(in: session).measure(self)) }
    let timer = session.readTimer ?? ReadTimer(setup: session.setup, registry: session.registry)
    (session.image, session.file, session.readTimer) = (nil, nil, timer)
    return Reply(try timer.time(self))
  }

  package func checked(
    _ figures: Figures, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Figures {
    try check.requireNone(attachment)
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
    if let file = session.file, file.source == source { return file }
    session.file = nil
    hb_trim_memory()
    let opened = try ReadMeasurer(
      self, setup: session.setup, registry: session.registry, peak: session.peak)
    session.file = opened
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
    _ answer: Answer, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Answer {
    try check.check(width: answer.width, height: answer.height)
    let most = RenderRequest.mostBytes(pixels: answer.width * answer.height)
    try check.require((1...most).contains(attachment), "the picture's bytes")
    return answer
  }
}
