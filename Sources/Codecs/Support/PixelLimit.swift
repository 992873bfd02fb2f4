import CodecKit

/// The check before every allocation whose size a file dictates.
enum PixelLimit {
  static func check(width: Int, height: Int, _ limits: ReadLimits) throws(CodecError) {
    guard width > 0, height > 0 else { throw .malformed("image of \(width)×\(height) pixels") }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    // Callers may set any limit; four 16-bit channels must still fit an Int.
    guard !overflow, pixels <= min(limits.maximumPixels, Int.max / 16) else {
      throw .limitExceeded("\(width)×\(height) pixels are over the limit of \(limits.maximumPixels)")
    }
  }
}
