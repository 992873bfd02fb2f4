import Metrics
import Model
import Pixels

struct CompareFilesRequest: Question {
  var distorted: ImageFile

  func reply(in session: WorkerSession, _: [UInt8]) throws -> [String: Double] {
    guard session.image != nil else { throw Refusal.noImage }
    // The first file is decoded while metrics prepare the reference.
    let decoded = distorted.decodedMeanwhile(session)
    let prepared = Result { try session.reference() }
    return try prepared.get()?.score(decoded.value().get()) ?? [:]
  }

  func verify(_ scores: inout [String: Double], by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(scores, asked: check.setup.metrics)
  }
}

/// Two files to compare, decoded at the same time. Neither stays open.
struct PairRequest: Question {
  var reference: ImageFile
  var distorted: ImageFile
  /// True if the machine has a core for a second thread.
  var usesTwoThreads: Bool

  enum Answer: Codable, Sendable {
    case scores([String: Double])
    /// The original is unusable; its record gives the reason.
    case unusable(ImageRecord)
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Answer {
    session.image = nil
    let candidate = distorted.decodedMeanwhile(session)
    let original = Result { () throws(UnusableImage) in
      try OpenImage.open(reference, setup: session.setup, registry: session.registry).raster
    }
    let decoded = candidate.value()
    if case .failure(let unusable) = original { return .unusable(unusable.record) }
    return .scores(
      try session.suite.score(
        decoded.get(), against: original.get(), beside: usesTwoThreads ? PlainThread.beside : nil))
  }

  func verify(_ answer: inout Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    switch answer {
    case .scores(let scores): try check.check(scores, asked: check.setup.metrics)
    case .unusable(var record):
      try check.require(record.problem != nil, "an image that nobody asked for")
      try check.check(&record, of: reference)
      answer = .unusable(record)
    }
  }
}

extension ImageFile {
  fileprivate func decodedMeanwhile(
    _ session: WorkerSession
  ) -> PlainThread.Meanwhile<Result<RasterImage, UnusableImage>> {
    PlainThread.Meanwhile { [self, setup = session.setup, registry = session.registry] in
      Result { () throws(UnusableImage) in
        try OpenImage.open(self, setup: setup, registry: registry).raster
      }
    }
  }
}
