import Metrics
import Model
import Pixels

/// The scores of a picture against an original, with remarks if metrics had to convert its colours or if it fits only
/// when turned or mirrored.
private struct ScoredPicture {
  /// The SSIMULACRA2 score below which the file cannot be an encode of the same picture.
  private static let hopeless = -50.0

  let scores: [String: Double]
  private(set) var remarks: [String] = []

  init(
    _ picture: RasterImage, against original: RasterImage, by suite: MetricSuite,
    _ score: () throws -> [String: Double]
  ) throws {
    if (picture.width, picture.height) != (original.width, original.height),
      let turn = try PictureLikeness.turn(of: picture, toFit: original)
    {
      throw MetricError(
        "the images differ in size: \(original.width) × \(original.height) and \(picture.width) × \(picture.height); "
          + "the second fits when \(turn.phrase)")
    }
    scores = try score()
    if let remark = suite.remark(on: picture, against: original) { remarks.append(remark) }
    guard let headline = scores[MetricTraits.ssimulacra2.id], headline < Self.hopeless,
      let turn = try PictureLikeness.turn(of: picture, toFit: original)
    else { return }
    remarks.append("fits when \(turn.phrase)")
  }
}

struct CompareFilesQuestion: Question {
  var distorted: ImageFile

  struct Answer: Codable, Sendable {
    var scores: [String: Double]
    /// Remarks on the file.
    var remarks: [String]
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Answer {
    guard let image = session.image else { throw Refusal.noImage }
    // The first file is decoded while metrics prepare the reference.
    let candidate = distorted.decodedMeanwhile(session)
    let prepared = Result { try session.reference() }
    let (decoded, reference) = (try candidate.value().get(), try prepared.get())
    let scored = try ScoredPicture(decoded.raster, against: image.raster, by: session.suite) {
      try reference?.score(decoded.raster) ?? [:]
    }
    return Answer(scores: scored.scores, remarks: decoded.steps + scored.remarks)
  }

  func remarks(in answer: Answer) -> [String: [String]] { [distorted.identity.name: answer.remarks] }

  func verify(_ answer: inout Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(answer.scores, asked: check.setup.metrics)
    answer.remarks = try check.clean(answer.remarks)
  }
}

/// Two files to compare, decoded at the same time. Neither stays open.
struct PairQuestion: Question {
  var reference: ImageFile
  var distorted: ImageFile
  /// True if the machine has a core for a second thread.
  var usesTwoThreads: Bool

  enum Answer: Codable, Sendable {
    /// The remarks are those on the original and those on the other file.
    case scores([String: Double], remarks: [[String]])
    /// The original is unusable; its record gives the reason.
    case unusable(ImageRecord)
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Answer {
    session.image = nil
    let candidate = distorted.decodedMeanwhile(session)
    let original = Result { () throws(UnusableImage) in
      DecodedFile(try OpenImage.open(reference, setup: session.setup, registry: session.registry))
    }
    let decoded = candidate.value()
    if case .failure(let unusable) = original { return .unusable(unusable.record) }
    let (first, second) = (try original.get(), try decoded.get())
    let scored = try ScoredPicture(second.raster, against: first.raster, by: session.suite) {
      try session.suite.score(
        second.raster, against: first.raster, beside: usesTwoThreads ? PlainThread.beside : nil)
    }
    return .scores(scored.scores, remarks: [first.steps, second.steps + scored.remarks])
  }

  func remarks(in answer: Answer) -> [String: [String]] {
    guard case .scores(_, let remarks) = answer else { return [:] }
    let files = [reference, distorted].map(\.identity.name)
    return Dictionary(zip(files, remarks), uniquingKeysWith: { first, _ in first })
  }

  func verify(_ answer: inout Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    switch answer {
    case .scores(let scores, let remarks):
      try check.check(scores, asked: check.setup.metrics)
      try check.require(remarks.count == 2, "the remarks on its files")
      answer = .scores(
        scores, remarks: try remarks.map { texts throws(AnswerCheck.Invalid) in try check.clean(texts) })
    case .unusable(var record):
      try check.require(record.problem != nil, "an image that was not requested")
      try check.check(&record, of: reference)
      answer = .unusable(record)
    }
  }
}

private struct DecodedFile: Sendable {
  let raster: RasterImage
  let steps: [String]

  init(_ image: OpenImage) { (raster, steps) = (image.raster, image.record.steps) }
}

extension ImageFile {
  fileprivate func decodedMeanwhile(
    _ session: WorkerSession
  ) -> PlainThread.Meanwhile<Result<DecodedFile, UnusableImage>> {
    PlainThread.Meanwhile { [self, setup = session.setup, registry = session.registry] in
      Result { () throws(UnusableImage) in
        DecodedFile(try OpenImage.open(self, setup: setup, registry: registry))
      }
    }
  }
}
