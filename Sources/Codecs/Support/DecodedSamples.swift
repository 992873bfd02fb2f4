import CodecKit
import Pixels

extension RasterImage.Samples {
  /// Wraps `count` samples, of two bytes if `isWide`, that a library fills in; none if `fill` fails.
  init(_ count: Int, isWide: Bool, fill: (_ target: UnsafeMutableRawPointer?, _ bytes: Int) -> Bool) {
    func samples<Sample: FixedWidthInteger>() -> [Sample] {
      [Sample](unsafeUninitializedCapacity: count) { buffer, written in
        written = fill(buffer.baseAddress, count * MemoryLayout<Sample>.size) ? count : 0
      }
    }
    self = isWide ? .words(samples()) : .bytes(samples())
  }

  /// Gray samples, each with its alpha behind it; of the same depth.
  func interleaved(with alpha: Self) -> Self {
    switch (self, alpha) {
    case (.bytes(let gray), .bytes(let alpha)): .bytes(Channels.pairs(gray, alpha))
    case (.words(let gray), .words(let alpha)): .words(Channels.pairs(gray, alpha))
    default: self
    }
  }
}

enum GrayPixels {
  /// Gray samples tripled, with alpha kept; colour samples unchanged.
  static func expanded(_ samples: [UInt8], _ layout: ChannelLayout) -> [UInt8] {
    guard layout.isGray else { return samples }
    let (old, new) = (layout.channels, layout.channels + 2)
    let pixels = samples.count / old
    return [UInt8](unsafeUninitializedCapacity: pixels * new) { target, count in
      for pixel in 0..<pixels {
        for channel in 0..<3 { target[pixel * new + channel] = samples[pixel * old] }
        if old == 2 { target[pixel * new + 3] = samples[pixel * old + 1] }
      }
      count = pixels * new
    }
  }
}

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
