package import Foundation
package import Model

/// The properties of thumbnails, whatever they are made of.
package struct ThumbnailStyle: Codable, Sendable, Hashable {
  package enum Format: Codable, Sendable, Hashable {
    case png
    case encoded(ReadEncoding)
  }

  /// The longest side, pixels. Smaller pictures keep their size.
  package var side: Int
  package var format: Format
  /// The lowest SSIMULACRA 2 against the whole picture at which an embedded thumbnail is accepted.
  package var score: Double

  package init(side: Int, format: Format, score: Double) {
    (self.side, self.format, self.score) = (side, format, score)
  }
}

/// A thumbnail to make, without opening an image.
package struct ThumbnailRequest: Question {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  var style: ThumbnailStyle
  /// The known scores of embedded thumbnails, by kind of file.
  var known: [String: Double]

  package init(path: [UInt8], style: ThumbnailStyle, known: [String: Double]) {
    (self.path, self.style, self.known) = (Data(path), style, known)
  }

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<MadeThumbnail> {
    (session.image, session.file) = (nil, nil)
    do {
      return Reply(try ThumbnailMaker(setup: session.setup, registry: session.registry).make(self))
    } catch {
      throw PointProblem(error, memoryLimit: session.setup.memoryLimit).failure
    }
  }

  package func checked(
    _ thumbnail: MadeThumbnail, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> MadeThumbnail {
    try check.requireNone(attachment)
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

package struct MadeThumbnail: Codable, Sendable, Hashable {
  /// A kind of file, and the score of one of its embedded thumbnails.
  package struct Judgement: Codable, Sendable, Hashable {
    /// The format, the picture's size and the thumbnail's.
    package var kind: String
    /// SSIMULACRA 2 against the whole picture, after the best shift within a pixel.
    package var score: Double
  }

  /// The most bytes that a worker may hand over.
  static let largest = 11 << 20

  /// The file, base 64 in the message.
  package var bytes: Data
  package var width, height: Int
  /// The origin of its pixels.
  package var route: ReadRoute
  /// A new finding about the kind of file, if any.
  package var judgement: Judgement?
}
