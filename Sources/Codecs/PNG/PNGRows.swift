import CPNGShim
package import CodecKit
import Model
import Pixels

/// A PNG file that is decoded row by row.
final class PNGRows: RowReader {
  let layout: RowLayout
  private let bytes: [UInt8]
  private let decoder: PNGDecompressor
  private var left: Int

  /// Begins with a file; nil for an interlaced one, whose first rows come with its last bytes.
  init?(_ bytes: [UInt8], _ chunks: PNGChunks, limits: ReadLimits) throws(CodecError) {
    self.bytes = bytes
    decoder = try PNGDecompressor(of: bytes)
    let head = try decoder.readHead(of: bytes, limits)
    guard decoder.hasRows else { return nil }
    let (profile, note) = PNGColor.profile(chunks, icc: head.icc, layout: head.format.layout)
    layout = RowLayout(
      width: head.width, height: head.height, format: head.format, profile: profile,
      orientation: chunks.orientation, notes: [note].compactMap { $0 })
    left = head.height
  }

  func next(_ count: Int) throws(CodecError) -> RasterImage {
    let rows = min(max(count, 1), left)
    guard rows > 0 else { throw .library(name: "libpng", message: "no rows are left") }
    left -= rows
    let size = rows * layout.width * layout.format.layout.channels
    let samples: RasterImage.Samples =
      layout.format.bitDepth == 8
      ? .bytes(try decoder.readRows(rows, count: size, of: bytes))
      : .words(try decoder.readRows(rows, count: size, of: bytes))
    guard let image = layout.image(rows: rows, samples) else {
      throw .library(name: "libpng", message: "unexpected number of samples")
    }
    return image
  }
}

/// A decoder for bytes that every call is given anew.
extension PNGDecompressor {
  fileprivate init(of bytes: [UInt8]) throws(CodecError) {
    // Nothing is read there before the bytes' place is told again.
    try self.init(bytes.withUnsafeBufferPointer { $0 })
  }

  fileprivate borrowing func readHead(of bytes: [UInt8], _ limits: ReadLimits) throws(CodecError) -> Head {
    try bytes.withUnsafeBufferPointer { file throws(CodecError) in
      hb_png_move(handle, file.baseAddress)
      return try readHead(limits)
    }
  }

  fileprivate var hasRows: Bool { hb_png_has_rows(handle) != 0 }

  fileprivate borrowing func readRows<Sample: FixedWidthInteger>(
    _ rows: Int, count: Int, of bytes: [UInt8]
  ) throws(CodecError) -> [Sample] {
    var status = HB_PNG_OK
    let samples = [Sample](unsafeUninitializedCapacity: count) { pixels, written in
      bytes.withUnsafeBufferPointer { file in
        hb_png_move(handle, file.baseAddress)
        status = hb_png_read_rows(handle, pixels.baseAddress, UInt32(clamping: rows))
      }
      written = status == HB_PNG_OK ? count : 0
    }
    try check(status)
    return samples
  }
}

extension PNGReader {
  /// Decodes all but interlaced files row by row.
  package func rows(of bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    let chunks = try PNGChunks(bytes)
    try PixelLimit.check(width: chunks.width, height: chunks.height, limits)
    return try PNGRows(bytes, chunks, limits: limits)
  }
}
