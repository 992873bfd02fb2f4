import CProcessShim
import CodecKit
import Foundation
import Metrics
package import Model
import Pixels

/// An image file as it was found, for a worker to read.
package struct ImageFile: Codable, Sendable, Hashable {
  /// The path's bytes, base 64 in the message: paths need not be text.
  let path: Data
  /// Name and expected hash; an empty hash is not checked.
  package let identity: ImageIdentity
  /// Size of the file when it was found.
  package let fileBytes: Int
  /// Pixels that its header declares. Headers that could not be read say nothing: a camera's size is assumed.
  package let pixels: Int

  /// Describes a file.
  package init(path: [UInt8], identity: ImageIdentity, fileBytes: Int, header: ImageHeader?) {
    self.path = Data(path)
    self.identity = identity
    self.fileBytes = fileBytes
    pixels = header?.pixelCount ?? 12_000_000
  }
}

/// Reads, decodes and prepares an image, which the questions that follow are about. With a problem in the record, no image
/// is open.
struct OpenRequest: Question {
  /// The image.
  var file: ImageFile
  /// Whether it is for exports alone, which may decode it row by row where there is such a way.
  var byRows = false

  func reply(in session: WorkerSession, _: [UInt8]) -> Reply<ImageRecord> {
    session.close()
    do {
      if byRows {
        let opened = try OpenImage.openRows(file, setup: session.setup, registry: session.registry)
        session.rows = opened.rows
        return Reply(opened.record)
      }
      let opened = try OpenImage.open(file, setup: session.setup, registry: session.registry)
      session.image = opened
      return Reply(opened.record)
    } catch {
      return Reply(error.record)
    }
  }

  func checked(
    _ record: ImageRecord, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> ImageRecord {
    try check.requireNone(attachment)
    return try check.checked(record, of: file)
  }
}

/// The image that a worker has open: its raster, and what metrics have prepared of it.
struct OpenImage {
  /// Name and hash.
  let identity: ImageIdentity
  /// The pixels that every codec gets.
  let raster: RasterImage
  /// What was done to get there.
  let record: ImageRecord
  /// The file, where it is a JPEG whose picture was not shrunk: what can be recompressed.
  var file: [UInt8]?
  /// The metrics' side of the reference, made when the first score is asked for.
  var reference: PreparedSuite?

  /// Reads, checks, decodes and prepares an image. The record it throws says what is wrong with the image.
  static func open(
    _ request: ImageFile, setup: WorkerSetup, registry: CodecRegistry
  ) throws(UnusableImage) -> OpenImage {
    var record = ImageRecord(
      identity: request.identity, preparation: setup.preparation.canonicalSpelling,
      fileBytes: request.fileBytes)
    do throws(Failure) {
      let bytes = try SourceFile.bytes(at: [UInt8](request.path))
      record.fileBytes = bytes.count
      let expected = request.identity.contentHash
      guard expected.isEmpty || SHA256.hexDigest(of: bytes) == expected else {
        throw PictureRows.changed
      }
      let reader = try reader(for: bytes, in: registry)
      let raster = try decode(bytes, with: reader, setup: setup, record: &record)
      let isWhole = record.header?.format == "jpeg" && setup.preparation.downscale == 1
      return OpenImage(
        identity: request.identity, raster: raster, record: record, file: isWhole ? bytes : nil)
    } catch {
      record.problem = error
      throw UnusableImage(record: record)
    }
  }

  private static func reader(
    for bytes: [UInt8], in registry: CodecRegistry
  ) throws(Failure) -> any ImageReader {
    guard let reader = registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    return reader
  }

  private static func decode(
    _ bytes: [UInt8], with reader: any ImageReader, setup: WorkerSetup, record: inout ImageRecord
  ) throws(Failure) -> RasterImage {
    let source: SourceImage
    hb_clear_errno()
    do throws(CodecError) {
      record.header = try reader.header(of: bytes)
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

  /// What a reader's error means for the image. A refused allocation shows in `errno`, whatever the library made of it.
  static func failure(_ error: CodecError, memoryLimit: Int?) -> Failure {
    if hb_errno_is_out_of_memory() != 0 {
      return Failure(kind: .memory, message: OutOfMemory.message(limit: memoryLimit))
    }
    if case .limitExceeded(let reason) = error { return Failure(kind: .limit, message: reason) }
    return Failure(kind: .source, message: error.description)
  }
}

/// An image that cannot be used, with the reason in its record.
struct UnusableImage: Error {
  /// The record, its `problem` set.
  let record: ImageRecord

  /// The reason.
  var problem: Failure { record.problem ?? Failure(kind: .source, message: "it cannot be used") }
}

extension PointProblem {
  /// The reason why something could not be read, coded or scored. A refused allocation shows in `errno`, whatever a library
  /// made of it.
  init(_ error: any Error, memoryLimit: Int?) {
    if let problem = error as? PointProblem {
      self = problem
    } else if let unusable = error as? UnusableImage {
      self = .failed(unusable.problem)
    } else if hb_errno_is_out_of_memory() != 0 {
      self = .failed(Failure(kind: .memory, message: OutOfMemory.message(limit: memoryLimit)))
    } else {
      self =
        switch error {
        case let failure as Failure: .failed(failure)
        case CodecError.unsupported(let reason): .unsupported(reason)
        case CodecError.limitExceeded(let reason): .failed(Failure(kind: .limit, message: reason))
        case let error as CodecError: .failed(Failure(kind: .source, message: error.description))
        default: .failed(Failure(kind: .metric, message: "\(error)"))
        }
    }
  }
}
