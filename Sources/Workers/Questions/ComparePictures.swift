import Metrics
import Model
import Pixels

struct CompareFilesRequest: Question {
  var distorted: ImageFile

  struct Answer: Codable, Sendable {
    var scores: [String: Double]
    /// On the file.
    var remarks: [String]
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Answer {
    guard session.image != nil else { throw Refusal.noImage }
    // The first file is decoded while metrics prepare the reference.
    let candidate = distorted.decodedMeanwhile(session)
    let prepared = Result { try session.reference() }
    let decoded = try candidate.value().get()
    return Answer(scores: try prepared.get()?.score(decoded.raster) ?? [:], remarks: decoded.steps)
  }

  func remarks(in answer: Answer) -> [String: [String]] { [distorted.identity.name: answer.remarks] }

  func verify(_ answer: inout Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(answer.scores, asked: check.setup.metrics)
    answer.remarks = try check.clean(answer.remarks)
  }
}

/// Two files to compare, decoded at the same time. Neither stays open.
struct PairRequest: Question {
  var reference: ImageFile
  var distorted: ImageFile
  /// True if the machine has a core for a second thread.
  var usesTwoThreads: Bool

  enum Answer: Codable, Sendable {
    /// With the remarks on the original and on the other file.
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
    return .scores(
      try session.suite.score(
        second.raster, against: first.raster, beside: usesTwoThreads ? PlainThread.beside : nil),
      remarks: [first.steps, second.steps])
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
      try check.require(record.problem != nil, "an image that nobody asked for")
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
