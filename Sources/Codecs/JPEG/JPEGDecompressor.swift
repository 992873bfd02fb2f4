import CJPEGShim
import CodecKit
import Model
import Pixels

struct JPEGDecompressor: ~Copyable {
  struct Frame {
    var width: Int
    var height: Int
    /// 1 for gray, 3 for RGB, 4 for CMYK.
    var channels: Int
    /// True with Adobe's marker, whose programs store CMYK inverted.
    var isAdobe: Bool
  }

  let handle: OpaquePointer

  /// Opens a file; its bytes must outlive the decoder.
  init(_ bytes: UnsafeBufferPointer<UInt8>, maximumScans: Int) throws(CodecError) {
    let scans = Int32(clamping: maximumScans)
    guard let handle = hb_jpeg_open(bytes.baseAddress, bytes.count, scans) else {
      throw .library(name: "libjpeg", message: "out of memory")
    }
    self.handle = handle
  }

  deinit { hb_jpeg_close(handle) }

  struct Picture {
    var frame: Frame
    var samples: [UInt8]
    var touchedBytes: Int
    var warning: String?
  }

  /// Decodes a file, at a reduced size, or a part of it.
  /// - Parameter region: In stored pixels, inside the picture; nil for all of it.
  static func decode(
    _ bytes: [UInt8], limits: ReadLimits, denominator: Int = 1, region: PixelRegion? = nil
  ) throws(CodecError) -> Picture {
    try opened(bytes, limits) { decoder, frame throws(CodecError) in
      var frame = frame
      if denominator > 1 {
        var (width, height): (Int32, Int32) = (0, 0)
        try decoder.check(hb_jpeg_scale(decoder.handle, Int32(clamping: denominator), &width, &height))
        (frame.width, frame.height) = (Int(width), Int(height))
      }
      if let region { (frame.width, frame.height) = (region.width, region.height) }
      let count = frame.width * frame.height * frame.channels
      let samples = try decoder.samples(count) { pixels in
        guard let region else { return hb_jpeg_read(decoder.handle, pixels, count) }
        var place = hb_jpeg_region(
          x: Int32(clamping: region.x), y: Int32(clamping: region.y), width: Int32(clamping: region.width),
          height: Int32(clamping: region.height))
        return hb_jpeg_read_region(decoder.handle, &place, pixels, count)
      }
      let touched = max(0, bytes.count - hb_jpeg_bytes_left(decoder.handle))
      return Picture(frame: frame, samples: samples, touchedBytes: touched, warning: try decoder.warning())
    }
  }

  /// Passes a decoder to `body` after reading the header of a file within the limits.
  static func opened<T>(
    _ bytes: [UInt8], _ limits: ReadLimits,
    _ body: (borrowing JPEGDecompressor, Frame) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
      let decoder = try JPEGDecompressor(buffer, maximumScans: limits.maximumScans)
      let frame = try decoder.readHeader()
      try PixelLimit.check(width: frame.width, height: frame.height, limits)
      return try body(decoder, frame)
    }
  }

  borrowing func samples(
    _ count: Int, _ read: (UnsafeMutablePointer<UInt8>?) -> hb_jpeg_status
  ) throws(CodecError) -> [UInt8] {
    var status = HB_JPEG_OK
    let samples = [UInt8](unsafeUninitializedCapacity: count) { pixels, written in
      status = read(pixels.baseAddress)
      written = status == HB_JPEG_OK ? count : 0
    }
    try check(status)
    return samples
  }

  borrowing func readHeader() throws(CodecError) -> Frame {
    var (width, height, channels, adobe): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    try check(hb_jpeg_read_header(handle, &width, &height, &channels, &adobe))
    return Frame(width: Int(width), height: Int(height), channels: Int(channels), isAdobe: adobe != 0)
  }

  /// libjpeg's warning; nil for a clean file. Missing image data are an error: libjpeg would fill in gray, and a
  /// benchmark would measure the gray.
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
    default: throw Self.refusal(String(cString: hb_jpeg_message(handle)))
    }
  }

  /// The error for a file that libjpeg gives up on. An unknown coding process is not damage.
  private static func refusal(_ message: String) -> CodecError {
    guard let process = message.firstMatch(of: /Unsupported JPEG process: SOF type 0x([0-9a-f]+)/) else {
      return .malformed("broken JPEG: \(message)")
    }
    let library = "\(JPEGLibrary.loaded.name) \(JPEGLibrary.loaded.version)"
    switch process.1 {
    case "c3":
      return .unsupported(
        "lossless JPEG (SOF3), which the installed \(library) does not decode; needs libjpeg-turbo 3")
    case "cb":
      return .unsupported("lossless JPEG with arithmetic coding (SOF11), which libjpeg does not decode")
    default:
      return .unsupported("hierarchical JPEG (SOF type 0x\(process.1)), which libjpeg does not decode")
    }
  }
}
