import CLCMS

/// A sample format of Little CMS: the bit fields of its `TYPE_…` macros, which Swift cannot import.
struct LCMSFormat: Sendable, Hashable {
  let bits: cmsUInt32Number

  static let gray8 = LCMSFormat(space: PT_GRAY, channels: 1)
  static let rgb8 = LCMSFormat(space: PT_RGB, channels: 3)
  static let cmyk8 = LCMSFormat(space: PT_CMYK, channels: 4)
  /// CMYK with 255 for no ink, as Adobe programs store it in JPEG.
  static let invertedCMYK8 = LCMSFormat(space: PT_CMYK, channels: 4, inverted: true)
  /// Planes of 32-bit floats.
  static let grayFloats = LCMSFormat(floats: PT_GRAY, channels: 1)
  static let rgbFloats = LCMSFormat(floats: PT_RGB, channels: 3)

  private init(space: Int32, channels: UInt32, inverted: Bool = false) {
    bits = UInt32(space) << 16 | (inverted ? 1 << 13 : 0) | channels << 3 | 1
  }

  private init(floats space: Int32, channels: UInt32) {
    let planar: UInt32 = channels > 1 ? 1 : 0
    bits = 1 << 22 | UInt32(space) << 16 | planar << 12 | channels << 3 | 4
  }
}

/// Owns a Little CMS transform.
package final class ColorTransform {
  /// Channels on the side of an image's own profile: 1 for gray, 3 for RGB, 4 for CMYK.
  package let profileChannels: Int
  /// True if the image's own profile has only a matrix and curves.
  let isOfMatrixProfile: Bool
  private let handle: cmsHTRANSFORM

  init?(
    from source: borrowing ICCProfile, _ sourceFormat: LCMSFormat, to target: borrowing ICCProfile,
    _ targetFormat: LCMSFormat, intent: Int32 = INTENT_PERCEPTUAL, profileChannels: Int = 3,
    isOfMatrixProfile: Bool = false
  ) {
    let handle = source.withHandle { source in
      target.withHandle { target in
        cmsCreateTransform(source, sourceFormat.bits, target, targetFormat.bits, cmsUInt32Number(intent), 0)
      }
    }
    guard let handle else { return nil }
    self.handle = handle
    self.profileChannels = profileChannels
    self.isOfMatrixProfile = isOfMatrixProfile
  }

  deinit { cmsDeleteTransform(handle) }

  /// Converts 8-bit pixels with `channels` samples each to RGB.
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

// MARK: Linear light

extension ColorTransform {
  /// Converts an embedded profile's values, floats from 0 to 1, to linear sRGB without clipping: colours outside sRGB's
  /// gamut become negative or exceed 1. The intent is relative colorimetric.
  ///
  /// Throws if the profile is damaged, or is for neither gray nor RGB data.
  package static func toLinearSRGB(_ icc: [UInt8]) throws(PixelError) -> ColorTransform {
    let own = try ICCProfile.describingPixels(icc)
    let linear = try ICCProfile.linearSRGB()
    return try checked(
      ColorTransform(
        from: own, own.floats, to: linear, .rgbFloats, intent: INTENT_RELATIVE_COLORIMETRIC,
        profileChannels: own.isGray ? 1 : 3, isOfMatrixProfile: own.isMatrix))
  }

  /// Converts linear sRGB to an embedded profile's values, the inverse of `toLinearSRGB`.
  package static func fromLinearSRGB(_ icc: [UInt8]) throws(PixelError) -> ColorTransform {
    let own = try ICCProfile.describingPixels(icc)
    let linear = try ICCProfile.linearSRGB()
    return try checked(
      ColorTransform(
        from: linear, .rgbFloats, to: own, own.floats, intent: INTENT_RELATIVE_COLORIMETRIC,
        profileChannels: own.isGray ? 1 : 3))
  }

  /// Converts a run of pixels between planes of floats. `stride` counts floats between planes.
  package func convert(
    _ from: UnsafePointer<Float>, stride fromStride: Int, to: UnsafeMutablePointer<Float>,
    stride toStride: Int, count: Int
  ) {
    let size = MemoryLayout<Float>.size
    guard let pixels = UInt32(exactly: count), let fromBytes = UInt32(exactly: fromStride * size),
      let toBytes = UInt32(exactly: toStride * size)
    else { return }
    cmsDoTransformLineStride(handle, from, to, pixels, 1, 0, 0, fromBytes, toBytes)
  }

  private static func checked(_ transform: ColorTransform?) throws(PixelError) -> ColorTransform {
    guard let transform else { throw PixelError("the embedded colour profile cannot be applied") }
    return transform
  }
}

extension ICCProfile {
  fileprivate var isGray: Bool { colorSpace == cmsSigGrayData }
  fileprivate var floats: LCMSFormat { isGray ? .grayFloats : .rgbFloats }

  fileprivate static func describingPixels(_ icc: [UInt8]) throws(PixelError) -> ICCProfile {
    guard let profile = ICCProfile(icc) else {
      throw PixelError("the embedded colour profile cannot be read")
    }
    guard profile.isGray || profile.colorSpace == cmsSigRgbData else {
      throw PixelError("the embedded colour profile is for neither gray nor RGB data")
    }
    return profile
  }

  fileprivate static func linearSRGB() throws(PixelError) -> ICCProfile {
    guard let linear = ColorProfiles.rgbProfile(primaries: .bt709, transfer: .linear) else {
      throw PixelError("Little CMS cannot create linear sRGB")
    }
    return linear
  }
}

/// Converts CMYK files, which cameras never write but web and print folders contain.
package enum CMYKConversion {
  /// Converts 8-bit CMYK to sRGB: through the file's ICC profile if usable, else treating inks as ideal filters, (255 −
  /// C)(255 − K) / 255.
  /// - Parameter isInverted: True if 255 means no ink.
  /// - Returns: The samples, and a note on the method for the image's record.
  package static func rgb(_ samples: [UInt8], isInverted: Bool, icc: [UInt8]?) -> (
    samples: [UInt8], note: String
  ) {
    if let icc, let converted = managed(samples, isInverted: isInverted, icc: icc) {
      return (converted, "CMYK converted to sRGB through its ICC profile")
    }
    return (simple(samples, isInverted: isInverted), "CMYK converted to RGB without a profile")
  }

  private static func managed(_ samples: [UInt8], isInverted: Bool, icc: [UInt8]) -> [UInt8]? {
    guard let source = ICCProfile(icc), source.describesSamples, source.colorSpace == cmsSigCmykData,
      let sRGB = ICCProfile.sRGB(),
      let transform = ColorTransform(from: source, isInverted ? .invertedCMYK8 : .cmyk8, to: sRGB, .rgb8)
    else { return nil }
    return transform.rgb(samples, channels: 4)
  }

  private static func simple(_ samples: [UInt8], isInverted: Bool) -> [UInt8] {
    let pixels = samples.count / 4
    let flip: UInt32 = isInverted ? 0 : 255
    return [UInt8](unsafeUninitializedCapacity: pixels * 3) { output, count in
      samples.withUnsafeBufferPointer { input in
        for pixel in 0..<pixels {
          let paper = UInt32(input[pixel * 4 + 3]) ^ flip
          for channel in 0..<3 {
            let light = (UInt32(input[pixel * 4 + channel]) ^ flip) * paper
            output[pixel * 3 + channel] = UInt8(truncatingIfNeeded: (light + 127) / 255)
          }
        }
      }
      count = pixels * 3
    }
  }
}
