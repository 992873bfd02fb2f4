/// Converts CMYK files, which cameras never write but web and print folders contain.
package enum CMYKConversion {
  /// Converts 8-bit CMYK to sRGB: through the file's ICC profile if usable, else with inks as ideal filters, (255 −
  /// C)(255 − K) / 255.
  /// - Parameter isInverted: True if 255 means no ink.
  /// - Returns: the samples, and a note on the method for the image's record.
  package static func rgb(_ samples: [UInt8], isInverted: Bool, icc: [UInt8]?) -> (
    samples: [UInt8], note: String
  ) {
    if let icc, let converted = managed(samples, isInverted: isInverted, icc: icc) {
      return (converted, "CMYK converted to sRGB through its ICC profile")
    }
    return (simple(samples, isInverted: isInverted), "CMYK converted to RGB without a profile")
  }

  private static func managed(_ samples: [UInt8], isInverted: Bool, icc: [UInt8]) -> [UInt8]? {
    guard let source = ICCProfile(icc), source.isCMYK, let sRGB = ICCProfile.sRGB(),
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
