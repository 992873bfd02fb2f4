import CProcessShim
import CodecKit
import Model
import Pixels

/// The rows of a prepared picture from the top: decoded from its file as they are asked for, or those of one that is in memory.
struct PictureRows {
  private enum Source {
    case file(any RowReader, Preprocessor, memoryLimit: Int?)
    case memory(RasterImage)
  }

  /// Size and format of the prepared picture.
  let width, height: Int
  let format: PixelFormat
  let profile: ColorProfile
  private let source: Source
  private var next = 0

  /// The rows of a picture in memory.
  init(_ image: RasterImage) {
    (width, height, format, profile) = (image.width, image.height, image.format, image.profile)
    source = .memory(image)
  }

  /// The rows of a file; nil where its preparation needs all pixels at once: to turn it, to shrink it, and to see whether
  /// its alpha means anything.
  init?(_ reader: any RowReader, setup: WorkerSetup) {
    let layout = reader.layout
    guard layout.orientation == .up, !layout.format.layout.hasAlpha, setup.preparation.downscale == 1 else {
      return nil
    }
    (width, height, profile) = (layout.width, layout.height, layout.profile)
    let depth = min(layout.format.bitDepth, min(max(setup.preparation.maximumBitDepth, 8), 16))
    format = PixelFormat(layout: layout.format.layout, bitDepth: depth)
    source = .file(reader, Preprocessor(setup.preparation), memoryLimit: setup.memoryLimit)
  }

  /// All of the picture; nil where it is not in memory.
  var image: RasterImage? {
    if case .memory(let image) = source { image } else { nil }
  }

  /// The next rows, 1 to as many as are left.
  mutating func take(_ count: Int) throws(PointProblem) -> RasterImage {
    let rows = next..<min(next + max(count, 1), height)
    guard !rows.isEmpty else { throw .failed(Failure(kind: .broken, message: "no rows are left")) }
    next = rows.upperBound
    switch source {
    case .memory(let image): return image.rows(rows)
    case .file(let reader, let preprocessor, let memoryLimit):
      hb_clear_errno()
      let read: RasterImage
      do throws(CodecError) { read = try reader.next(rows.count) } catch {
        throw .failed(OpenImage.failure(error, memoryLimit: memoryLimit))
      }
      do throws(Failure) { return try preprocessor.prepare(SourceImage(image: read)).image } catch {
        throw .failed(error)
      }
    }
  }
}

extension OpenImage {
  /// Opens an image to go through its rows once, without decoding all of it where its reader and its preparation have such a
  /// way. What is wrong with the file behind its header may then show as the rows are taken.
  static func openRows(
    _ request: ImageFile, setup: WorkerSetup, registry: CodecRegistry
  ) throws(UnusableImage) -> (rows: PictureRows, record: ImageRecord) {
    let opened = try reading(request, setup: setup, registry: registry) {
      (bytes, reader, record) throws(Failure) in
      if let rows = try rows(of: bytes, reader, setup: setup, record: &record) { return rows }
      return PictureRows(try decode(bytes, with: reader, setup: setup, record: &record))
    }
    return (opened.0, opened.1)
  }

  private static func rows(
    of bytes: [UInt8], _ reader: any ImageReader, setup: WorkerSetup, record: inout ImageRecord
  ) throws(Failure) -> PictureRows? {
    hb_clear_errno()
    do throws(CodecError) {
      let header = try reader.header(of: bytes)
      guard let file = try reader.rows(of: bytes, limits: setup.limits),
        let rows = PictureRows(file, setup: setup)
      else { return nil }
      record.header = header
      (record.preparedWidth, record.preparedHeight) = (rows.width, rows.height)
      record.preparedFormat = rows.format
      record.profile = rows.profile.title
      record.steps = file.layout.notes
      return rows
    } catch {
      throw failure(error, memoryLimit: setup.memoryLimit)
    }
  }
}
