import CodecKit
import Metrics
import Model
import Pixels
package import Workers

// Questions of a view. Files and pixels follow the lines as bytes, so a worker does not need a path or a file, and any
// worker can take any picture's next tile.

package enum ViewQuestions {
  package static let all: [any Question.Type] = [
    OpenPicture.self, MakeSmallPicture.self, EncodeSamples.self, DecodeEncoded.self, ScoreDecoded.self,
  ]
}

struct ViewedEncode {
  var raster: RasterImage
  var file: [UInt8]
  var codec: any ImageCodec
  var decoded: RasterImage?
}

/// A picture to decode and prepare; its file follows. The answer contains samples, then pixels for the screen.
struct OpenPicture: Question {
  /// The most pixels of a side that messages to the page can name.
  private static let longestSide = 65_535

  var preparation: Preparation

  func reply(in session: WorkerSession, _ file: [UInt8]) throws -> Attached<OpenedPicture> {
    session.close()
    let reader = try session.registry.imageReader(for: file)
    let header = try reader.header(of: file)
    let prepared = try Preprocessor(preparation).prepare(
      try reader.read(file, limits: session.setup.limits))
    let image = prepared.image
    let facts = OpenedPicture(
      header: header, shape: RasterShape(image), profile: image.profile.title,
      steps: prepared.steps + reader.stepsLeftOut(of: file))
    return Attached(facts, image.sampleBytes + image.displayPixels())
  }

  /// The page shows the steps next to the picture.
  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(
    _ answer: inout Attached<OpenedPicture>, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) {
    var picture = answer.body
    let shape = picture.shape
    let isPossible = [shape.width, shape.height].allSatisfy((1...Self.longestSide).contains)
    try check.require(isPossible && shape.sampleBytes != nil, "the picture's size")
    try check.check(width: shape.width, height: shape.height)
    let sides = [picture.header.width, picture.header.height]
    try check.require(sides.allSatisfy(Bound.side.contains), "the image's size")
    picture.header.format = check.clean(picture.header.format)
    picture.profile = check.clean(picture.profile)
    picture.steps = try check.clean(picture.steps)
    answer.body = picture
  }

  func attachment(of answer: Attached<OpenedPicture>, by _: AnswerCheck) -> ClosedRange<Int> {
    let shape = answer.body.shape
    let bytes = (shape.sampleBytes ?? 0) + shape.width * shape.height * 4
    return bytes...bytes
  }
}

/// Makes a small picture of the file that follows, by the cheapest route to the whole picture, as pixels for the
/// screen.
struct MakeSmallPicture: Question {
  var longestSide: Int

  struct Size: Codable, Sendable {
    var width, height: Int
  }

  func reply(in session: WorkerSession, _ file: [UInt8]) throws -> Attached<Size> {
    let image = try smallPicture(file, try session.registry.imageReader(for: file), session.setup.limits)
    let size = image.size(fitting: longestSide)
    let small = try image.reduced(toWidth: size.width, height: size.height)
    return Attached(Size(width: small.width, height: small.height), small.displayPixels())
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ answer: inout Attached<Size>, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    let sides = 1...max(1, longestSide)
    try check.require(
      sides.contains(answer.body.width) && sides.contains(answer.body.height), "the thumbnail's size")
  }

  func attachment(of answer: Attached<Size>, by _: AnswerCheck) -> ClosedRange<Int> {
    let bytes = answer.body.width * answer.body.height * 4
    return bytes...bytes
  }

  /// The result of the cheapest route that gives the whole picture in its own proportions, at the wanted size or
  /// larger. Some cameras pad embedded thumbnails with black bars or do not rotate them; such thumbnails are skipped.
  private func smallPicture(
    _ file: [UInt8], _ reader: any ImageReader, _ limits: ReadLimits
  ) throws -> RasterImage {
    let header = try reader.header(of: file)
    for request in [DecodePart.thumbnail(longestSide: longestSide), .scaled(longestSide: longestSide)] {
      guard let image = try? reader.decode(file, request, limits: limits).raster,
        max(image.width, image.height) >= min(longestSide, max(header.width, header.height)),
        Self.isWhole(image, of: header)
      else { continue }
      return image
    }
    guard let image = try reader.decode(file, .full, limits: limits).raster else {
      throw Failure(kind: .source, message: "contains no picture")
    }
    return image
  }

  /// True if the sides are in proportion, in either orientation, within the rounding of a small picture's pixels.
  private static func isWhole(_ image: RasterImage, of header: ImageHeader) -> Bool {
    let (w, h) = (Double(header.width), Double(header.height))
    let ratio = Double(max(image.width, image.height)) / Double(max(1, min(image.width, image.height)))
    let expected = max(w, h) / max(1, min(w, h))
    return abs(ratio - expected) <= expected * 1.5 / Double(max(1, min(image.width, image.height)))
  }
}

/// Encodes the samples that follow. The answer contains the file.
struct EncodeSamples: Question {
  var shape: RasterShape
  var variant: CodecVariant
  var quality: Quality

  func reply(in session: WorkerSession, _ samples: [UInt8]) throws -> Attached<TimingSample> {
    session[ViewedEncode.self] = nil
    guard let image = shape.image(samples) else {
      throw Failure(kind: .broken, message: "the samples do not match their image")
    }
    var measurer = try session.measurer(variant, quality, of: image)
    let result = try measurer.encode { _ in true }
    session[ViewedEncode.self] = ViewedEncode(raster: image, file: result.first, codec: measurer.codec)
    return Attached(result.samples[0], result.first)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(
    _ sample: inout Attached<TimingSample>, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) {
    try check.check([sample.body], repeats: 1...1)
  }

  func attachment(of _: Attached<TimingSample>, by _: AnswerCheck) -> ClosedRange<Int> {
    1...SourceFile.largestFile
  }
}

/// Decodes the last encode. The answer contains the pixels for the screen.
struct DecodeEncoded: Question {
  func reply(in session: WorkerSession, _: [UInt8]) throws -> Attached<TimingSample> {
    guard let viewed = session[ViewedEncode.self] else { throw Refusal("nothing was encoded") }
    var stopwatch = Stopwatch(memoryLimit: session.setup.memoryLimit)
    let (image, sample) = try stopwatch.time { () throws(CodecError) in try viewed.codec.decode(viewed.file) }
    guard image.width == viewed.raster.width, image.height == viewed.raster.height else {
      throw Failure(kind: .codec, message: "its output decodes to a different size")
    }
    session[ViewedEncode.self]?.decoded = image
    return Attached(sample, image.displayPixels())
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(
    _ sample: inout Attached<TimingSample>, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) {
    try check.check([sample.body], repeats: 1...1)
  }

  func attachment(of _: Attached<TimingSample>, by check: AnswerCheck) -> ClosedRange<Int> {
    4...check.setup.limits.maximumPixels * 4
  }
}

/// Scores the last decode against the encoded picture. The answer is by metric identifier.
struct ScoreDecoded: Question {
  var metrics: [String]

  func reply(in session: WorkerSession, _: [UInt8]) throws -> [String: Double] {
    guard let viewed = session[ViewedEncode.self], let decoded = viewed.decoded else {
      throw Refusal("nothing was decoded")
    }
    return try MetricSuite(metrics).prepare(viewed.raster).score(decoded)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ scores: inout [String: Double], by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(scores, asked: metrics)
  }
}

struct OpenedPicture: Codable, Sendable, Hashable {
  var header: ImageHeader
  var shape: RasterShape
  var profile: String
  var steps: [String]
}
