import CProcessShim
import Foundation
import Model

/// Work that workers with different libraries share: one decodes the source and scores, the other encodes.
extension WorkerSession {
  /// Leaves the open image's pixels for another worker.
  func handOver() -> WorkerReply {
    guard let image else { return .refused("no image is open") }
    do {
      try files().write(image.raster)
      return .done
    } catch {
      return .failed(HandedOver.notWritten(error))
    }
  }

  /// Opens the pixels that another worker has left.
  func take(_ request: TakeRequest) -> WorkerReply {
    close()
    do throws(Failure) {
      let record = ImageRecord(
        identity: request.identity, preparation: setup.preparation.canonicalSpelling, fileBytes: 0)
      image = OpenImage(identity: request.identity, raster: try files().pixels(), record: record)
      return .done
    } catch {
      return .failed(error)
    }
  }

  /// Leaves an encoded file for another worker.
  func leave(_ encoded: [UInt8]) throws(PointProblem) {
    do throws(Failure) { try files().leave(encoded) } catch { throw .failed(error) }
  }

  /// Scores the file that another worker has left.
  func score(_ request: EncodedScoreRequest) -> WorkerReply {
    guard let image else { return .refused("no image is open") }
    do {
      let bytes = try files().encoded()
      var measurer = try PointMeasurer(
        variant: request.variant, quality: request.quality, image: image.raster, registry: registry,
        memoryLimit: setup.memoryLimit)
      try measurer.expect(libraries: request.libraries)
      let decoded = try measurer.decode(bytes) { _ in true }
      var scored = Model.Measurement(
        nativeQuality: 0, encodedBytes: bytes.count, encodedHash: SHA256.hexDigest(of: bytes),
        timing: TimingSeries(conditions: .contended, encode: [], decode: []))
      try score(decoded.first, into: &scored)
      external?.score(decoded.first, against: image, within: request.commandSeconds, into: &scored)
      return .scored(ScoredFile(scored))
    } catch let problem as PointProblem {
      return .failed(problem.failure)
    } catch let failure as Failure {
      return .failed(failure)
    } catch {
      return .failed(Failure(kind: .broken, message: "\(error)"))
    }
  }

  private func files() throws(Failure) -> HandedOver { try HandedOver(sharedBy: setup) }
}

extension ScoredFile {
  init(_ measurement: Model.Measurement) {
    self.init(
      hash: measurement.encodedHash, scores: measurement.scores, failedScores: measurement.failedScores,
      scoringCPUNanoseconds: measurement.scoringCPUNanoseconds, remarks: measurement.remarks)
  }

  /// The measurement of the same file with these scores.
  /// - Throws: a `Failure` where it is another file.
  func joined(to measurement: Model.Measurement) throws(Failure) -> Model.Measurement {
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
