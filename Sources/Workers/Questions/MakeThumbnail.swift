package import Foundation
package import Model

/// What thumbnails are, whatever they are made of.
package struct ThumbnailStyle: Codable, Sendable, Hashable {
  /// What files they become.
  package enum Format: Codable, Sendable, Hashable {
    /// Lossless.
    case png
    /// By a codec, at a quality.
    case encoded(ReadEncoding)
  }

  /// The longest side, pixels. Smaller pictures stay as small as they are.
  package var side: Int
  /// What files they become.
  package var format: Format
  /// The least SSIMULACRA 2 against the whole picture at which an embedded thumbnail is taken.
  package var score: Double

  /// Describes thumbnails.
  package init(side: Int, format: Format, score: Double) {
    (self.side, self.format, self.score) = (side, format, score)
  }
}

/// A thumbnail to make. No image has to be open, and none is afterwards.
package struct ThumbnailRequest: Question {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  /// What it is to be.
  var style: ThumbnailStyle
  /// How well the embedded thumbnails of each kind of file show their pictures, as far as that is known.
  var known: [String: Double]

  /// Asks for a thumbnail of a file.
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

/// A thumbnail that was made.
package struct MadeThumbnail: Codable, Sendable, Hashable {
  /// A kind of file, and how well the embedded thumbnail of one of its files shows the picture.
  package struct Judgement: Codable, Sendable, Hashable {
    /// The format, the picture's size and the thumbnail's.
    package var kind: String
    /// SSIMULACRA 2 against the whole picture, after the best shift within a pixel.
    package var score: Double
  }

  /// The most that a worker can hand over, bytes.
  static let largest = 11 << 20

  /// The file, base 64 in the message.
  package var bytes: Data
  /// Columns and rows.
  package var width, height: Int
  /// Where its pixels are from.
  package var route: ReadRoute
  /// What was found out about the kind of file on the way.
  package var judgement: Judgement?
}
