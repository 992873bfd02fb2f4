import CJPEGShim
import CodecKit
import Model

/// Owns a libjpeg decoder over one file.
struct JPEGDecompressor: ~Copyable {
  struct Frame {
    var width: Int
    var height: Int
    /// 1 gray, 3 RGB, 4 CMYK.
    var channels: Int
    /// True with Adobe's marker, whose programs store CMYK inverted.
    var isAdobe: Bool
  }

  let handle: OpaquePointer

  /// Opens a file whose bytes outlive the decoder.
  init(_ bytes: UnsafeBufferPointer<UInt8>, maximumScans: Int) throws(CodecError) {
    let scans = Int32(clamping: maximumScans)
    guard let handle = hb_jpeg_open(bytes.baseAddress, bytes.count, scans) else {
      throw .library(name: "libjpeg", message: "out of memory")
    }
    self.handle = handle
  }

  deinit { hb_jpeg_close(handle) }

  static func decode(
    _ bytes: [UInt8], limits: ReadLimits
  ) throws(CodecError) -> (frame: Frame, samples: [UInt8], warning: String?) {
    try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
      let decoder = try JPEGDecompressor(buffer, maximumScans: limits.maximumScans)
      let frame = try decoder.readHeader()
      try PixelLimit.check(width: frame.width, height: frame.height, limits)
      let samples = try decoder.readSamples(frame)
      return (frame, samples, try decoder.warning())
    }
  }

  borrowing func readHeader() throws(CodecError) -> Frame {
    var (width, height, channels, adobe): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    try check(hb_jpeg_read_header(handle, &width, &height, &channels, &adobe))
    return Frame(width: Int(width), height: Int(height), channels: Int(channels), isAdobe: adobe != 0)
  }

  private borrowing func readSamples(_ frame: Frame) throws(CodecError) -> [UInt8] {
    let count = frame.width * frame.height * frame.channels
    var status = HB_JPEG_OK
    let samples = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      status = hb_jpeg_read(handle, buffer.baseAddress, count)
      written = status == HB_JPEG_OK ? count : 0
    }
    try check(status)
    return samples
  }

  /// libjpeg's warning, nil for a clean file. Missing image data are an error: libjpeg would fill in gray, and a
  /// benchmark would measure that.
  borrowing func warning() throws(CodecError) -> String? {
    let count = hb_jpeg_warnings(handle)
    guard count > 0 else { return nil }
    let message = String(cString: hb_jpeg_message(handle))
    guard hb_jpeg_is_truncated(handle) == 0 else { throw .malformed("truncated JPEG: \(message)") }
    return "\(count) JPEG warning\(count == 1 ? "" : "s"): \(message)"
  }

  borrowing func check(_ status: hb_jpeg_status) throws(CodecError) {
    switch status {
    case HB_JPEG_OK: return
    case HB_JPEG_TOO_MANY_SCANS: throw .limitExceeded("JPEG with more scans than allowed")
    case HB_JPEG_OUT_OF_MEMORY: throw .library(name: "libjpeg", message: "out of memory")
    default: throw .malformed("broken JPEG: \(String(cString: hb_jpeg_message(handle)))")
    }
  }
}
