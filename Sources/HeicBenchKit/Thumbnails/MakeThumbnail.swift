import Foundation
import Model
import Workers

/// The properties of thumbnails, whatever they are made of.
struct ThumbnailStyle: Codable, Sendable, Hashable {
  enum Format: Codable, Sendable, Hashable {
    case png
    case encoded(ReadEncoding)
  }

  /// The longest side, pixels. Smaller pictures keep their size.
  var side: Int
  var format: Format
  /// The lowest SSIMULACRA 2 against the whole picture at which an embedded thumbnail is accepted.
  var score: Double

  init(side: Int, format: Format, score: Double) {
    (self.side, self.format, self.score) = (side, format, score)
  }
}

/// A thumbnail to make, without opening an image.
struct ThumbnailRequest: Question {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  var style: ThumbnailStyle
  /// The known scores of embedded thumbnails, by kind of file.
  var known: [String: Double]

  init(path: [UInt8], style: ThumbnailStyle, known: [String: Double]) {
    (self.path, self.style, self.known) = (Data(path), style, known)
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<MadeThumbnail> {
    session.image = nil
    do {
      return Reply(try ThumbnailMaker(setup: session.setup, registry: session.registry).make(self))
    } catch {
      throw PointProblem(error, memoryLimit: session.setup.memoryLimit).failure
    }
  }

  func checked(
    _ thumbnail: MadeThumbnail, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> MadeThumbnail {
    var thumbnail = thumbnail
    try check.require((1...MadeThumbnail.largest).contains(thumbnail.bytes.count), "the thumbnail's bytes")
    let sides = 1...max(1, style.side)
    try check.require(
      sides.contains(thumbnail.width) && sides.contains(thumbnail.height), "the thumbnail's size")
    try check.require([.full, .scaled, .thumbnail].contains(thumbnail.route), "the thumbnail's route")
    try check.require(thumbnail.judgement?.score.isFinite ?? true, "a score that is no number")
    if let kind = thumbnail.judgement?.kind { thumbnail.judgement?.kind = check.clean(kind) }
    return thumbnail
  }
}

struct MadeThumbnail: Codable, Sendable, Hashable {
  /// A kind of file, and the score of one of its embedded thumbnails.
  struct Judgement: Codable, Sendable, Hashable {
    /// The format, the picture's size and the thumbnail's.
    var kind: String
    /// SSIMULACRA 2 against the whole picture, after the best shift within a pixel.
    var score: Double
  }

  /// The most bytes that a worker may hand over.
  static let largest = 11 << 20

  /// The file, base 64 in the message.
  var bytes: Data
  var width, height: Int
  /// The origin of its pixels.
  var route: ReadRoute
  /// A new finding about the kind of file, if any.
  var judgement: Judgement?
}

extension WorkerSlot {
  func shrink(
    _ request: ThumbnailRequest, within seconds: Double
  ) throws -> Response<MadeThumbnail> {
    let encodes = if case .encoded = request.style.format { 1 } else { 0 }
    return try ask(request, encodes: encodes, within: seconds).answer()
  }
}
