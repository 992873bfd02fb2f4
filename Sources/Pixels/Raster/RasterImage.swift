/// An image in memory: interleaved channels, rows from top to bottom, no padding between rows. Orientation has been
/// applied or is stored elsewhere.
public struct RasterImage: Sendable, Hashable {
  /// `width × height × channels` samples.
  public enum Samples: Sendable, Hashable {
    case bytes([UInt8])
    /// Samples of 9 to 16 bits in native byte order, right-aligned: 0 to `PixelFormat.maximum`.
    case words([UInt16])

    /// Number of samples.
    public var count: Int {
      switch self {
      case .bytes(let samples): samples.count
      case .words(let samples): samples.count
      }
    }
  }

  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// Channels and depth.
  public let format: PixelFormat
  /// The colours that samples mean.
  public let profile: ColorProfile
  /// The samples themselves.
  public let samples: Samples

  /// Wraps 8-bit samples. Returns nil if their number does not match the size and layout.
  public init?(
    width: Int, height: Int, layout: ChannelLayout, profile: ColorProfile = .sRGB, bytes: [UInt8]
  ) {
    self.init(
      width: width, height: height, format: PixelFormat(layout: layout), profile: profile,
      samples: .bytes(bytes))
  }

  /// Wraps samples. Returns nil if their number or type does not match the size and format.
  public init?(
    width: Int, height: Int, format: PixelFormat, profile: ColorProfile = .sRGB, samples: Samples
  ) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, (8...16).contains(format.bitDepth) else { return nil }
    let (expected, tooMany) = pixels.multipliedReportingOverflow(by: format.layout.channels)
    guard !tooMany, samples.count == expected else { return nil }
    switch samples {
    case .bytes: guard format.bitDepth == 8 else { return nil }
    case .words: guard format.bitDepth > 8 else { return nil }
    }
    self.width = width
    self.height = height
    self.format = format
    self.profile = profile
    self.samples = samples
  }

  /// Columns times rows.
  public var pixelCount: Int { width * height }

  /// Bytes of the raw raster, the numerator of the compression ratio.
  public var rawByteCount: Int { pixelCount * format.bytesPerPixel }

  package func tagged(_ profile: ColorProfile) -> RasterImage {
    RasterImage(
      unchecked: self, profile: profile, width: width, height: height, format: format, samples: samples)
  }

  /// Derives a raster from a valid one; the caller must ensure the right number of samples.
  init(
    unchecked other: RasterImage, profile: ColorProfile? = nil, width: Int, height: Int, format: PixelFormat,
    samples: Samples
  ) {
    assert(samples.count == width * height * format.layout.channels)
    self.width = width
    self.height = height
    self.format = format
    self.profile = profile ?? other.profile
    self.samples = samples
  }
}

/// A sample transformation that is generic over 8 and 16 bits; `RasterImage.transformed` picks the sample type.
protocol SampleTransform {
  /// The new samples, in the layout and size that the caller states.
  func apply<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(_ samples: [Sample]) -> [Sample]
}

extension RasterImage {
  /// The image with transformed samples of the same depth; the transform must return `width × height × channels`.
  func transformed(
    _ transform: some SampleTransform, width: Int? = nil, height: Int? = nil, layout: ChannelLayout? = nil
  ) -> RasterImage {
    let samples: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(transform.apply(bytes))
      case .words(let words): .words(transform.apply(words))
      }
    return RasterImage(
      unchecked: self, width: width ?? self.width, height: height ?? self.height,
      format: PixelFormat(layout: layout ?? format.layout, bitDepth: format.bitDepth), samples: samples)
  }
}

/// An sRGB picture with a palette of up to 256 colours, which leaves only a third of the bytes to compress.
package struct IndexedPicture: Sendable, Hashable {
  static let mostColours = 256

  package let width: Int
  package let height: Int
  /// Red, green and blue of each colour.
  package let palette: [UInt8]
  /// Each pixel's palette index, row by row.
  package let indices: [UInt8]

  /// Wraps pixels; nil unless the counts match and there are 1 to 256 colours. Indices that are too large become the
  /// last one.
  package init?(width: Int, height: Int, palette: [UInt8], indices: [UInt8]) {
    let colours = palette.count / 3
    guard width > 0, height > 0, indices.count == width * height, palette.count == 3 * colours,
      (1...Self.mostColours).contains(colours)
    else { return nil }
    (self.width, self.height, self.palette) = (width, height, palette)
    let last = UInt8(colours - 1)
    self.indices = colours == Self.mostColours ? indices : indices.map { min($0, last) }
  }

  /// The picture as an RGB image; nil if it is too large.
  package var raster: RasterImage? {
    let bytes = [UInt8](unsafeUninitializedCapacity: indices.count * 3) { bytes, count in
      for index in indices {
        for step in 0..<3 { bytes.initializeElement(at: count + step, to: palette[3 * Int(index) + step]) }
        count += 3
      }
    }
    return RasterImage(width: width, height: height, layout: .rgb, bytes: bytes)
  }
}
