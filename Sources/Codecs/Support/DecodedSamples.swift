import CodecKit
import Model
import Pixels

extension RasterImage.Samples {
  /// Wraps `count` samples, two bytes each if `isWide`, that a library fills in; no samples if `fill` fails.
  init(_ count: Int, isWide: Bool, fill: (_ target: UnsafeMutableRawPointer?, _ bytes: Int) -> Bool) {
    func samples<Sample: FixedWidthInteger>() -> [Sample] {
      [Sample](unsafeUninitializedCapacity: count) { buffer, written in
        written = fill(buffer.baseAddress, count * MemoryLayout<Sample>.size) ? count : 0
      }
    }
    self = isWide ? .words(samples()) : .bytes(samples())
  }

  func image(
    by library: String, width: Int, height: Int, format: PixelFormat, profile: ColorProfile = .sRGB
  ) throws(CodecError) -> RasterImage {
    guard
      let image = RasterImage(width: width, height: height, format: format, profile: profile, samples: self)
    else { throw .library(name: library, message: "unexpected number of samples") }
    return image
  }

  /// Gray samples, each followed by its alpha, which has the same depth.
  func interleaved(with alpha: Self) -> Self {
    switch (self, alpha) {
    case (.bytes(let gray), .bytes(let alpha)): .bytes(Channels.pairs(gray, alpha))
    case (.words(let gray), .words(let alpha)): .words(Channels.pairs(gray, alpha))
    default: self
    }
  }
}

enum GrayPixels {
  /// Gray samples are tripled, keeping alpha; colour samples stay unchanged.
  static func expanded<Sample: FixedWidthInteger>(_ samples: [Sample], _ layout: ChannelLayout) -> [Sample] {
    guard layout.isGray else { return samples }
    let (old, new) = (layout.channels, layout.channels + 2)
    let pixels = samples.count / old
    return [Sample](unsafeUninitializedCapacity: pixels * new) { target, count in
      for pixel in 0..<pixels {
        for channel in 0..<3 { target[pixel * new + channel] = samples[pixel * old] }
        if old == 2 { target[pixel * new + 3] = samples[pixel * old + 1] }
      }
      count = pixels * new
    }
  }
}

/// The check before every allocation with a size determined by a file.
enum PixelLimit {
  static func check(width: Int, height: Int, _ limits: ReadLimits) throws(CodecError) {
    guard width > 0, height > 0 else { throw .malformed("image of \(width)×\(height) pixels") }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    // Callers may set any limit, but the bytes of four 16-bit channels must fit an Int.
    guard !overflow, pixels <= min(limits.maximumPixels, Int.max / 16) else {
      throw .limitExceeded("\(width)×\(height) pixels are over the limit of \(limits.maximumPixels)")
    }
  }
}

final class DecodedRows: RowReader {
  /// Returns the samples of the next rows, the number of remaining bytes of the file, and the decoder's warning so far.
  typealias Next =
    (_ rows: Int) throws(CodecError) -> (RasterImage.Samples, bytesLeft: Int, warning: String?)

  let header: ImageHeader
  let layout: RowLayout
  private(set) var remarks: [String] = []
  private let file: FileMapping
  private let library: String
  private let read: Next
  private var left: Int

  init(_ file: FileMapping, _ header: ImageHeader, _ layout: RowLayout, library: String, next: @escaping Next)
  {
    (self.file, self.header, self.layout, self.library) = (file, header, layout, library)
    (read, left) = (next, layout.height)
  }

  func next(_ count: Int) throws(CodecError) -> RasterImage {
    let rows = min(max(count, 1), left)
    guard rows > 0 else { throw .library(name: library, message: "no rows are left") }
    left -= rows
    let (samples, bytesLeft, warning) = try read(rows)
    remarks = [warning].compactMap(\.self).filter { !layout.notes.contains($0) }
    file.letGo(before: file.bytes.count - bytesLeft)
    return try samples.image(
      by: library, width: layout.width, height: rows, format: layout.format, profile: layout.profile)
  }
}
