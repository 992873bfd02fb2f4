import CPNGShim
import CodecKit
import Pixels

struct PNGDecompressor: ~Copyable {
  struct Head {
    var width: Int
    var height: Int
    var format: PixelFormat
    /// Unpacked iCCP; nil if libpng could not unpack it.
    var icc: [UInt8]?
  }

  /// The head, the samples, and libpng's warnings.
  typealias Picture = (head: Head, samples: RasterImage.Samples, warning: String?)

  let handle: OpaquePointer

  /// Opens a file; its bytes must outlive the decoder.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
    guard let handle = hb_png_open(bytes.baseAddress, bytes.count) else {
      throw .library(name: "libpng", message: "cannot start a decoder")
    }
    self.handle = handle
  }

  deinit { hb_png_close(handle) }

  static func decode(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> Picture {
    try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
      let decoder = try PNGDecompressor(buffer)
      return try decoder.picture(limits)
    }
  }

  private borrowing func picture(_ limits: ReadLimits) throws(CodecError) -> Picture {
    let head = try readHead(limits)
    let count = head.width * head.height * head.format.layout.channels
    let samples = try samples(count, head.format) { hb_png_read(handle, $0, $1) }
    return (head, samples, warning)
  }

  borrowing func readHead(_ limits: ReadLimits) throws(CodecError) -> Head {
    var (width, height, iccSize): (UInt32, UInt32, UInt32) = (0, 0, 0)
    var (channels, depth): (Int32, Int32) = (0, 0)
    var icc: UnsafePointer<UInt8>?
    try check(hb_png_read_header(handle, &width, &height, &channels, &depth, &icc, &iccSize))
    let profile = icc.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(iccSize))) }
    try PixelLimit.check(width: Int(width), height: Int(height), limits)
    let layouts: [Int32: ChannelLayout] = [1: .gray, 2: .grayAlpha, 3: .rgb, 4: .rgba]
    guard let layout = layouts[channels], depth == 8 || depth == 16 else {
      throw .library(name: "libpng", message: "\(channels) channels of \(depth) bits")
    }
    return Head(
      width: Int(width), height: Int(height), format: PixelFormat(layout: layout, bitDepth: Int(depth)),
      icc: profile)
  }

  borrowing func samples(
    _ count: Int, _ format: PixelFormat, _ read: (UnsafeMutableRawPointer?, Int) -> hb_png_status
  ) throws(CodecError) -> RasterImage.Samples {
    var status = HB_PNG_OK
    let samples = RasterImage.Samples(count, isWide: format.bitDepth > 8) { target, bytes in
      status = read(target, bytes)
      return status == HB_PNG_OK
    }
    try check(status)
    return samples
  }

  /// libpng's warnings so far about data that it could decode.
  var warning: String? {
    let count = hb_png_warnings(handle)
    guard count > 0 else { return nil }
    return "\(count) PNG warning\(count == 1 ? "" : "s"): \(String(cString: hb_png_message(handle)))"
  }

  borrowing func check(_ status: hb_png_status) throws(CodecError) {
    switch status {
    case HB_PNG_OK: return
    case HB_PNG_OUT_OF_MEMORY: throw .library(name: "libpng", message: "out of memory")
    default: throw .malformed("broken PNG: \(String(cString: hb_png_message(handle)))")
    }
  }
}
