import CProcessShim
import Foundation
import Model

// Work that workers with different libraries share: one decodes the source and scores, the other encodes.

/// Writes the open image's pixels to the shared folder, for the worker of a build.
struct HandOverRequest: Question {
  func reply(in session: WorkerSession, _: [UInt8]) throws -> Done {
    guard let image = session.image else { throw Refusal.noImage }
    let files = try SharedFiles(sharedBy: session.setup)
    do { try files.write(image.raster) } catch { throw SharedFiles.notWritten(error) }
    return Done()
  }
}

/// Opens the pixels that another worker has handed over, instead of a file of the corpus.
struct TakeRequest: Question {
  var identity: ImageIdentity

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Done {
    session.close()
    let record = ImageRecord(
      identity: identity, preparation: session.setup.preparation.canonicalSpelling, fileBytes: 0)
    session.image = OpenImage(
      identity: identity, raster: try SharedFiles(sharedBy: session.setup).pixels(), record: record)
    return Done()
  }
}

extension WorkerSession {
  func leave(_ encoded: [UInt8]) throws(Failure) { try SharedFiles(sharedBy: setup).leave(encoded) }
}

/// A file that the worker of a build has encoded, to be scored against the open image.
struct EncodedScoreRequest: Question {
  var variant: CodecVariant
  var quality: Quality
  /// The libraries to decode it with; nil leaves them unchecked.
  var libraries: String?
  /// The time limit of each external metric, seconds.
  var commandSeconds: Double

  func reply(in session: WorkerSession, _: [UInt8]) throws -> ScoredFile {
    guard let image = session.image else { throw Refusal.noImage }
    let bytes = try SharedFiles(sharedBy: session.setup).encoded()
    var measurer = try session.measurer(variant, quality, of: image.raster)
    try measurer.expect(libraries: libraries)
    let decoded = try measurer.decode(bytes) { _ in true }
    var scored = Model.Figures(
      nativeQuality: 0, encodedBytes: bytes.count, encodedHash: SHA256.hexDigest(of: bytes),
      timing: TimingSeries(conditions: .contended, encode: [], decode: []))
    try session.score(decoded.first, into: &scored)
    session.external?.score(decoded.first, against: image, within: commandSeconds, into: &scored)
    return ScoredFile(
      hash: scored.encodedHash, scores: scored.scores, failedScores: scored.failedScores,
      scoringCPUNanoseconds: scored.scoringCPUNanoseconds, remarks: scored.remarks)
  }

  func checked(
    _ file: ScoredFile, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> ScoredFile {
    var file = file
    try check.check(hash: file.hash)
    try check.check(file.scores)
    try check.require(Bound.time.contains(file.scoringCPUNanoseconds), "the time of its scores")
    file.failedScores = try check.checked(failedScores: file.failedScores)
    file.remarks = try check.clean(file.remarks)
    return file
  }
}

/// The scores of a file, as in `Figures`.
struct ScoredFile: Codable, Sendable {
  /// SHA-256 of the file that was scored.
  var hash: String
  var scores: [String: Double]
  var failedScores: [String: String]
  var scoringCPUNanoseconds: Int64
  var remarks: [String]

  /// The measurement of the same file with these scores. Throws if the hashes differ.
  func joined(to measurement: Model.Figures) throws(Failure) -> Model.Figures {
    guard hash == measurement.encodedHash else {
      throw Failure(kind: .broken, message: "the file that was scored is not the one that was encoded")
    }
    var whole = measurement
    (whole.scores, whole.failedScores) = (scores, failedScores)
    whole.scoringCPUNanoseconds = scoringCPUNanoseconds
    whole.remarks += remarks
    return whole
  }
}
