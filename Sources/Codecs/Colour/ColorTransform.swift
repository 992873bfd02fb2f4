import CLCMS

/// How Little CMS finds samples in memory: the bit fields of its `TYPE_…` macros, which Swift cannot import.
struct LCMSFormat: Sendable, Hashable {
  let bits: cmsUInt32Number

  private init(space: Int32, channels: UInt32, inverted: Bool = false) {
    bits = UInt32(space) << 16 | (inverted ? 1 << 13 : 0) | channels << 3 | 1
  }

  static let gray8 = LCMSFormat(space: PT_GRAY, channels: 1)
  static let rgb8 = LCMSFormat(space: PT_RGB, channels: 3)
  static let cmyk8 = LCMSFormat(space: PT_CMYK, channels: 4)
  /// CMYK with 255 for no ink, as Adobe's programs store it in JPEG.
  static let invertedCMYK8 = LCMSFormat(space: PT_CMYK, channels: 4, inverted: true)
}

/// A Little CMS transform and its only owner.
struct ColorTransform: ~Copyable {
  private let handle: cmsHTRANSFORM

  /// Links two profiles with the perceptual intent; nil when Little CMS cannot.
  init?(
    from source: borrowing ICCProfile, _ sourceFormat: LCMSFormat, to target: borrowing ICCProfile,
    _ targetFormat: LCMSFormat
  ) {
    let handle = source.withHandle { source in
      target.withHandle { target in
        cmsCreateTransform(
          source, sourceFormat.bits, target, targetFormat.bits, cmsUInt32Number(INTENT_PERCEPTUAL), 0)
      }
    }
    guard let handle else { return nil }
    self.handle = handle
  }

  deinit { cmsDeleteTransform(handle) }

  /// Converts 8-bit pixels, `channels` samples each, to RGB.
  func rgb(_ samples: [UInt8], channels: Int) -> [UInt8] {
    let pixels = samples.count / channels
    return [UInt8](unsafeUninitializedCapacity: pixels * 3) { output, count in
      samples.withUnsafeBytes { input in
        // Little CMS counts pixels in 32 bits.
        var start = 0
        while start < pixels {
          let part = min(pixels - start, 1 << 20)
          cmsDoTransform(
            handle, input.baseAddress?.advanced(by: start * channels),
            output.baseAddress?.advanced(by: start * 3), cmsUInt32Number(part))
          start += part
        }
      }
      count = pixels * 3
    }
  }
}
