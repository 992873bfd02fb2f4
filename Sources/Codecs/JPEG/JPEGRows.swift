import CJPEGShim
package import CodecKit
import Model
import Pixels

/// A JPEG file that is decoded row by row. Of a progressive one libjpeg holds all coefficients meanwhile.
final class JPEGRows: RowReader {
  let layout: RowLayout
  private let bytes: [UInt8]
  private let decoder: JPEGDecompressor
  private let frame: JPEGDecompressor.Frame
  private var left: Int

  /// Begins with a file; nil where it has to be decoded as a whole.
  init?(_ bytes: [UInt8], _ markers: JPEGMarkers, limits: ReadLimits) throws(CodecError) {
    self.bytes = bytes
    decoder = try JPEGDecompressor(of: bytes, maximumScans: limits.maximumScans)
    frame = try decoder.readHeader(of: bytes)
    try PixelLimit.check(width: frame.width, height: frame.height, limits)
    guard frame.width == markers.width, frame.height == markers.height else {
      throw .malformed("JPEG with frame headers that disagree")
    }
    // CMYK is converted through a profile of its own.
    guard frame.channels != 4 else { return nil }
    let channels: ChannelLayout = frame.channels == 1 ? .gray : .rgb
    let profile = markers.icc.map { ColorProfiles.profile(icc: $0, for: channels) }
    layout = RowLayout(
      width: frame.width, height: frame.height, format: PixelFormat(layout: channels),
      profile: profile?.profile ?? .sRGB, orientation: markers.orientation,
      notes: [profile?.note].compactMap { $0 })
    left = frame.height
  }

  func next(_ count: Int) throws(CodecError) -> RasterImage {
    let rows = min(max(count, 1), left)
    guard rows > 0 else { throw .library(name: "libjpeg", message: "no rows are left") }
    left -= rows
    let samples = try decoder.readRows(rows, count: rows * frame.width * frame.channels, of: bytes)
    // Missing data are an error.
    _ = try decoder.warning()
    guard let image = layout.image(rows: rows, .bytes(samples)) else {
      throw .library(name: "libjpeg", message: "unexpected number of samples")
    }
    return image
  }
}

/// A decoder for bytes that every call is given anew.
extension JPEGDecompressor {
  fileprivate init(of bytes: [UInt8], maximumScans: Int) throws(CodecError) {
    // Nothing is read there before the bytes' place is told again.
    try self.init(bytes.withUnsafeBufferPointer { $0 }, maximumScans: maximumScans)
  }

  fileprivate borrowing func readHeader(of bytes: [UInt8]) throws(CodecError) -> Frame {
    try bytes.withUnsafeBufferPointer { file throws(CodecError) in
      hb_jpeg_move(handle, file.baseAddress)
      return try readHeader()
    }
  }

  fileprivate borrowing func readRows(
    _ rows: Int, count: Int, of bytes: [UInt8]
  ) throws(CodecError) -> [UInt8] {
    var status = HB_JPEG_OK
    let samples = [UInt8](unsafeUninitializedCapacity: count) { pixels, written in
      bytes.withUnsafeBufferPointer { file in
        hb_jpeg_move(handle, file.baseAddress)
        status = hb_jpeg_read_rows(handle, pixels.baseAddress, Int32(clamping: rows))
      }
      written = status == HB_JPEG_OK ? count : 0
    }
    try check(status)
    return samples
  }
}

extension JPEGReader {
  /// Decodes all but CMYK row by row.
  package func rows(of bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    let markers = try Self.markers(bytes)
    try PixelLimit.check(width: markers.width, height: markers.height, limits)
    return try JPEGRows(bytes, markers, limits: limits)
  }
}
