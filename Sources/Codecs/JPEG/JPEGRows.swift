import CJPEGShim
package import CodecKit
package import Model
import Pixels

/// A JPEG file decoded row by row. libjpeg holds all coefficients of a progressive one meanwhile.
final class JPEGRows: RowReader {
  let header: ImageHeader
  let layout: RowLayout
  private let file: FileMapping
  private let decoder: JPEGDecompressor
  private var left: Int

  /// Opens a file; nil if it must be decoded as a whole.
  init?(_ file: FileMapping, _ markers: JPEGMarkers, limits: ReadLimits) throws(CodecError) {
    self.file = file
    header = JPEGReader.header(of: markers)
    decoder = try JPEGDecompressor(file.bytes, maximumScans: limits.maximumScans)
    let frame = try decoder.readHeader()
    try PixelLimit.check(width: frame.width, height: frame.height, limits)
    guard frame.width == markers.width, frame.height == markers.height else {
      throw .malformed("JPEG with frame headers that disagree")
    }
    // CMYK needs a conversion through its own profile.
    guard frame.channels != 4 else { return nil }
    let channels: ChannelLayout = frame.channels == 1 ? .gray : .rgb
    let (profile, note) = try SourceColour.profile(icc: markers.icc, for: channels)
    layout = RowLayout(
      width: frame.width, height: frame.height, format: PixelFormat(layout: channels),
      profile: profile, orientation: markers.orientation, notes: [note].compactMap { $0 })
    left = frame.height
  }

  func next(_ count: Int) throws(CodecError) -> RasterImage {
    let rows = min(max(count, 1), left)
    guard rows > 0 else { throw .library(name: "libjpeg", message: "no rows are left") }
    left -= rows
    let samples = try decoder.samples(rows * layout.width * layout.format.layout.channels) { pixels in
      hb_jpeg_read_rows(decoder.handle, pixels, Int32(clamping: rows))
    }
    // Missing data are an error.
    _ = try decoder.warning()
    file.letGo(before: file.bytes.count - hb_jpeg_bytes_left(decoder.handle))
    guard let image = layout.image(rows: rows, .bytes(samples)) else {
      throw .library(name: "libjpeg", message: "unexpected number of samples")
    }
    return image
  }
}

extension JPEGReader {
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    let usual = try? Self.markers(file.head(SourceFile.usualHeadLength))
    // Without image data in the usual head, the file has a longer head or scans of single components.
    let markers =
      if let usual, usual.unitsStart != nil {
        usual
      } else {
        try Self.markers(file.head(SourceFile.headLength))
      }
    try PixelLimit.check(width: markers.width, height: markers.height, limits)
    return try JPEGRows(file, markers, limits: limits)
  }
}
