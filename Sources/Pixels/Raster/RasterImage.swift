/// An image as samples in memory: interleaved channels, rows from top to bottom, no padding between rows.
///
/// The colour profile says what the samples mean; orientation has been applied or is kept elsewhere.
package struct RasterImage: Sendable, Hashable {
  /// The samples, `width × height × channels` of them.
  package enum Samples: Sendable, Hashable {
    /// Samples of 8 bits.
    case bytes([UInt8])
    /// Samples of 9 to 16 bits in native byte order, right-aligned: 0 to `PixelFormat.maximum`.
    case words([UInt16])

    /// How many samples there are.
    package var count: Int {
      switch self {
      case .bytes(let samples): samples.count
      case .words(let samples): samples.count
      }
    }
  }

  /// Columns, at least 1.
  package let width: Int
  /// Rows, at least 1.
  package let height: Int
  /// Layout and depth of a pixel.
  package let format: PixelFormat
  /// What the samples mean as colours.
  package let profile: ColorProfile
  /// The samples themselves.
  package let samples: Samples

  /// Wraps 8-bit samples. Returns nil when their number does not match the size and layout.
  package init?(
    width: Int, height: Int, layout: ChannelLayout, profile: ColorProfile = .sRGB, bytes: [UInt8]
  ) {
    self.init(
      width: width, height: height, format: PixelFormat(layout: layout), profile: profile,
      samples: .bytes(bytes))
  }

  /// Wraps samples. Returns nil when their number or width does not match the size and format.
  package init?(
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

  /// Width times height.
  package var pixelCount: Int { width * height }

  /// Bytes of the raw raster, the numerator of the compression ratio.
  package var rawByteCount: Int { pixelCount * format.bytesPerPixel }

  /// The same samples under another profile.
  package func tagged(_ profile: ColorProfile) -> RasterImage {
    RasterImage(
      unchecked: self, profile: profile, width: width, height: height, format: format, samples: samples)
  }

  /// A raster derived from a valid one, by code that keeps the number of samples right.
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
