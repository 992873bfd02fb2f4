import CPNGShim
package import CodecKit
package import Model
import Pixels

final class PNGRows: RowReader {
  let header: ImageHeader
  let layout: RowLayout
  private let file: FileMapping
  private let decoder: PNGDecompressor
  private var left: Int

  /// Opens a file; nil for an interlaced one, whose first rows need its last bytes.
  init?(_ file: FileMapping, _ chunks: PNGChunks, limits: ReadLimits) throws(CodecError) {
    self.file = file
    header = PNGReader.header(of: chunks)
    decoder = try PNGDecompressor(file.bytes)
    let head = try decoder.readHead(limits)
    guard hb_png_has_rows(decoder.handle) != 0 else { return nil }
    let (profile, note) = try PNGColor.profile(chunks, icc: head.icc, layout: head.format.layout)
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
    let samples = try decoder.samples(size, layout.format) { pixels, _ in
      hb_png_read_rows(decoder.handle, pixels, UInt32(clamping: rows))
    }
    file.letGo(before: file.bytes.count - hb_png_bytes_left(decoder.handle))
    guard let image = layout.image(rows: rows, samples) else {
      throw .library(name: "libpng", message: "unexpected number of samples")
    }
    return image
  }
}

extension PNGReader {
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    var chunks = try PNGChunks(file.head(SourceFile.usualHeadLength))
    if !chunks.isComplete { chunks = try PNGChunks(file.head(SourceFile.headLength)) }
    try PixelLimit.check(width: chunks.width, height: chunks.height, limits)
    return try PNGRows(file, chunks, limits: limits)
  }
}
