import CProcessShim
import CodecKit
import Model
import Pixels
import Workers

/// Opens an image for an export, which decodes it row by row if possible.
struct OpenRowsQuestion: Question {
  var file: ImageFile

  func reply(in session: WorkerSession, _: [UInt8]) -> ImageRecord {
    session.close()
    do {
      let opened = try OpenImage.openRows(file, setup: session.setup, registry: session.registry)
      session[PictureRows.self] = opened.rows
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

/// The rows of a prepared picture, from the top: decoded from its file on demand, or taken from a raster in memory.
struct PictureRows {
  private enum Source {
    case file(any RowReader, FileMapping, Preprocessor, memoryLimit: Int?)
    case memory(RasterImage)
  }

  let width, height: Int
  let format: PixelFormat
  let profile: ColorProfile
  private let source: Source
  private var next = 0

  init(_ image: RasterImage) {
    (width, height, format, profile) = (image.width, image.height, image.format, image.profile)
    source = .memory(image)
  }

  /// The rows of a file; nil if preparing it needs all pixels at once, to rotate or downscale it or to see whether its
  /// alpha matters.
  init?(_ reader: any RowReader, of file: FileMapping, setup: WorkerSetup) {
    let layout = reader.layout
    guard layout.orientation == .up, !layout.format.layout.hasAlpha, setup.preparation.downscale == 1 else {
      return nil
    }
    (width, height, profile) = (layout.width, layout.height, layout.profile)
    let depth = min(layout.format.bitDepth, min(max(setup.preparation.maximumBitDepth, 8), 16))
    format = PixelFormat(layout: layout.format.layout, bitDepth: depth)
    source = .file(reader, file, Preprocessor(setup.preparation), memoryLimit: setup.memoryLimit)
  }

  /// The whole picture; throws if it is not in memory.
  func whole() throws(Failure) -> RasterImage {
    guard case .memory(let image) = source else {
      throw Failure(kind: .broken, message: "the picture is not open as a whole")
    }
    return image
  }

  /// The reader's repairs of the file, once all rows have been read.
  var remarks: [String] {
    guard next == height, case .file(let reader, _, _, _) = source else { return [] }
    return reader.remarks
  }

  /// The next rows, at least 1 and at most the remaining ones.
  mutating func take(_ count: Int) throws(Failure) -> RasterImage {
    let rows = next..<min(next + max(count, 1), height)
    guard !rows.isEmpty else { throw Failure(kind: .broken, message: "no rows are left") }
    next = rows.upperBound
    switch source {
    case .memory(let image): return image.rows(rows)
    case .file(let reader, let file, let preprocessor, let memoryLimit):
      hb_clear_errno()
      let read: RasterImage
      do throws(CodecError) { read = try reader.next(rows.count) } catch {
        throw OpenImage.failure(error, memoryLimit: memoryLimit)
      }
      // Checked only with the last rows: before they are read, nothing made from the others counts.
      guard next < height || file.isUnchanged else { throw OpenImage.changed }
      return try preprocessor.prepare(SourceImage(image: read)).image
    }
  }
}

extension OpenImage {
  /// Opens an image for a single pass over its rows, decoding it gradually if its reader and preparation allow that.
  /// Defects of the file after its header may then show only as rows are read.
  static func openRows(
    _ request: ImageFile, setup: WorkerSetup, registry: CodecRegistry
  ) throws(UnusableImage) -> (rows: PictureRows, record: ImageRecord) {
    var record = ImageRecord(
      identity: request.identity, preparation: setup.preparation.canonicalSpelling,
      fileBytes: request.fileBytes)
    do throws(Failure) {
      if let rows = try rows(of: request, setup: setup, registry: registry, record: &record) {
        return (rows, record)
      }
    } catch {
      record.problem = error
      throw UnusableImage(record: record)
    }
    let opened = try open(request, setup: setup, registry: registry)
    return (PictureRows(opened.raster), opened.record)
  }

  /// The rows of a file; nil if they cannot be read in sequence.
  private static func rows(
    of request: ImageFile, setup: WorkerSetup, registry: CodecRegistry, record: inout ImageRecord
  ) throws(Failure) -> PictureRows? {
    guard let file = try map(request),
      let reader = registry.reader(for: file.head(SourceFile.usualHeadLength))
    else { return nil }
    record.fileBytes = file.bytes.count
    hb_clear_errno()
    do throws(CodecError) {
      guard let decoded = try reader.rows(of: file, limits: setup.limits),
        let rows = PictureRows(decoded, of: file, setup: setup)
      else { return nil }
      record.header = decoded.header
      (record.preparedWidth, record.preparedHeight) = (rows.width, rows.height)
      record.preparedFormat = rows.format
      record.profile = rows.profile.title
      let hasMore = reader.mayHaveGainMap(file.head(SourceFile.headLength))
      let leftOut = hasMore ? reader.stepsLeftOut(of: file.head(file.bytes.count)) : []
      let rounding = Preprocessor.rounding(from: decoded.layout.format, to: rows.format)
      record.steps = decoded.layout.notes + rounding + leftOut
      return rows
    } catch {
      throw failure(error, memoryLimit: setup.memoryLimit)
    }
  }

  /// Maps a file with the requested content; nil if it is empty or too large.
  private static func map(_ request: ImageFile) throws(Failure) -> FileMapping? {
    try SourceFile.reading {
      let file = try FileSystem.open([UInt8](request.path))
      let status = try file.status()
      guard status.kind == .file, (1...SourceFile.largestFile).contains(status.size) else { return nil }
      let (hash, size) = try SourceFile.digest(of: file, [], upTo: status.size)
      guard size == status.size, request.identity.contentHash.isEmpty || hash == request.identity.contentHash
      else { throw changed }
      let mapping = try FileMapping(file)
      guard mapping.bytes.count == size else { throw changed }
      return mapping
    }
  }
}
