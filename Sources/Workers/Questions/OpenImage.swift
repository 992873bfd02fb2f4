import CProcessShim
package import CodecKit
package import Foundation
import Metrics
package import Model
package import Pixels

package struct ImageFile: Codable, Sendable, Hashable {
  /// The path's bytes, base 64 in the message, because paths need not be text.
  package let path: Data
  /// Name and expected hash; an empty hash is not checked.
  package let identity: ImageIdentity
  package let fileBytes: Int
  /// The pixels that the header declares; if it could not be read, 12 megapixels, as from a camera.
  package let pixels: Int

  package init(path: [UInt8], identity: ImageIdentity, fileBytes: Int, header: ImageHeader?) {
    self.path = Data(path)
    self.identity = identity
    self.fileBytes = fileBytes
    pixels = header?.pixelCount ?? 12_000_000
  }
}

/// Reads, decodes and prepares an image for the questions that follow. With a problem in the record, no image is open.
struct OpenQuestion: Question {
  var file: ImageFile

  func reply(in session: WorkerSession, _: [UInt8]) -> ImageRecord {
    session.close()
    do {
      let opened = try OpenImage.open(file, setup: session.setup, registry: session.registry)
      session.image = opened
      return opened.record
    } catch {
      return error.record
    }
  }

  func remarks(in answer: Answer) -> [String: [String]] { [file.identity.name: answer.steps] }

  func verify(_ record: inout ImageRecord, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(&record, of: file)
  }
}

package struct OpenImage {
  package let identity: ImageIdentity
  package let raster: RasterImage
  package let record: ImageRecord
  /// The file, if it is a JPEG that was not downscaled and can thus be recompressed.
  var file: [UInt8]?
  var reference: PreparedSuite?

  /// The failure of a file that is modified during a run.
  package static let changed = Failure(
    kind: .source, message: "the file changed after the run began; run again to measure it")

  package static func open(
    _ request: ImageFile, setup: WorkerSetup, registry: CodecRegistry
  ) throws(UnusableImage) -> OpenImage {
    var record = ImageRecord(
      identity: request.identity, preparation: setup.preparation.canonicalSpelling,
      fileBytes: request.fileBytes)
    do throws(Failure) {
      let bytes = try request.identity.file(at: request.path)
      record.fileBytes = bytes.count
      let reader = try registry.imageReader(for: bytes)
      let raster = try decode(bytes, with: reader, setup: setup, record: &record)
      let isWhole = record.header?.format == "jpeg" && setup.preparation.downscale == 1
      return OpenImage(
        identity: request.identity, raster: raster, record: record, file: isWhole ? bytes : nil)
    } catch {
      record.problem = error
      throw UnusableImage(record: record)
    }
  }

  private static func decode(
    _ bytes: [UInt8], with reader: any ImageReader, setup: WorkerSetup, record: inout ImageRecord
  ) throws(Failure) -> RasterImage {
    let source: SourceImage
    hb_clear_errno()
    do throws(CodecError) {
      record.header = try reader.anyHeader(of: bytes)
      source = try reader.read(bytes, limits: setup.limits)
    } catch {
      throw failure(error, memoryLimit: setup.memoryLimit)
    }
    let prepared = try Preprocessor(setup.preparation).prepare(source)
    record.preparedWidth = prepared.image.width
    record.preparedHeight = prepared.image.height
    record.preparedFormat = prepared.image.format
    record.profile = prepared.image.profile.title
    record.steps = prepared.steps + reader.stepsLeftOut(of: bytes)
    return prepared.image
  }

  package static func failure(_ error: CodecError, memoryLimit: Int?) -> Failure {
    let failure = Failure(error, memoryLimit: memoryLimit)
    return failure.kind == .unsupported ? Failure(kind: .source, message: error.description) : failure
  }
}

extension CodecRegistry {
  package func imageReader(for bytes: [UInt8]) throws(Failure) -> any ImageReader {
    guard let reader = reader(for: bytes) else {
      throw UnknownContent.failure(Array(bytes.prefix(UnknownContent.looksAt)), size: bytes.count)
    }
    return reader
  }
}

extension ImageIdentity {
  /// The file's bytes. Throws if its content is known and has changed since.
  package func file(at path: Data) throws(Failure) -> [UInt8] {
    let bytes = try SourceFile.bytes(at: [UInt8](path))
    guard contentHash.isEmpty || SHA256.hexDigest(of: bytes) == contentHash else { throw OpenImage.changed }
    return bytes
  }
}

extension CodecRegistry {
  package func usableCodec(_ identifier: String) throws(Failure) -> any ImageCodec {
    guard let codec = codec(identifier) else {
      throw Failure(kind: .codec, message: "this program has no codec “\(identifier)”")
    }
    if let absence = codec.traits.absence { throw .unsupported(absence) }
    return codec
  }
}

extension ImageCodec {
  /// Throws unless this worker has loaded the expected libraries. A library may have been replaced during the run.
  package func expect(libraries expected: String?) throws(Failure) {
    let loaded = traits.libraries.canonicalSpelling
    guard let expected, expected != loaded else { return }
    throw Failure(
      kind: .codec,
      message: "a worker has loaded \(loaded), but the run began with \(expected); run again")
  }
}

package struct UnusableImage: Error {
  package let record: ImageRecord

  package init(record: ImageRecord) { self.record = record }

  var problem: Failure { record.problem ?? Failure(kind: .source, message: "it cannot be used") }
}

extension Failure {
  /// Maps any error of reading, coding or scoring; `codecKind` is the kind of a codec's own errors. A refused allocation
  /// shows in `errno`, however a library reports it.
  package init(_ error: any Error, memoryLimit: Int?, codecKind: Kind = .source) {
    if let failure = error as? Failure {
      self = failure
    } else if let unusable = error as? UnusableImage {
      self = unusable.problem
    } else if hb_errno_is_out_of_memory() != 0 {
      self = Failure(kind: .memory, message: TerminationStatus.outOfMemory(limit: memoryLimit))
    } else {
      self =
        switch error {
        case CodecError.unsupported(let reason): .unsupported(reason)
        case CodecError.limitExceeded(let reason): Failure(kind: .limit, message: reason)
        case CodecError.highDynamicRange: Failure(kind: .source, message: "\(error)")
        case is CodecError: Failure(kind: codecKind, message: "\(error)")
        default: Failure(kind: .metric, message: "\(error)")
        }
    }
  }
}
