extension RasterImage {
  /// The image for a screen: 8-bit sRGB with straight alpha, four bytes per pixel in the order red, green, blue, alpha.
  /// The profile's perceptual intent maps colours outside sRGB; an unusable profile is treated as sRGB, as in the
  /// readers. HDR light is tone mapped.
  package func displayPixels() -> [UInt8] {
    if case .light = profile { return forScreen.displayPixels() }
    let image = format.bitDepth > 8 ? scaledDepth(to: 8) : self
    guard case .bytes(let samples) = image.samples else { return [] }
    let channels = format.layout.channels
    let colours = image.convertedToSRGB(samples)
    return [UInt8](unsafeUninitializedCapacity: pixelCount * 4) { output, count in
      colours.samples.withUnsafeBufferPointer { colour in
        samples.withUnsafeBufferPointer { source in
          for pixel in 0..<pixelCount {
            let from = pixel * colours.stride
            output[pixel * 4] = colour[from]
            output[pixel * 4 + 1] = colour[from + colours.green]
            output[pixel * 4 + 2] = colour[from + colours.blue]
            output[pixel * 4 + 3] =
              format.layout.hasAlpha ? source[pixel * channels + channels - 1] : .max
          }
        }
      }
      count = pixelCount * 4
    }
  }

  /// sRGB samples and the layout of a pixel in them.
  private struct Colours {
    var samples: [UInt8]
    var stride: Int
    var green = 1
    var blue = 2
  }

  private func convertedToSRGB(_ samples: [UInt8]) -> Colours {
    let layout = format.layout
    let plain = Colours(
      samples: samples, stride: layout.channels, green: layout.isGray ? 0 : 1, blue: layout.isGray ? 0 : 2)
    guard let icc = profile.iccBytes, let source = ICCProfile(icc), let sRGB = ICCProfile.sRGB(),
      let transform = ColorTransform(from: source, layout.isGray ? .gray8 : .rgb8, to: sRGB, .rgb8),
      case .bytes(let opaque) = droppingAlpha().samples
    else { return plain }
    return Colours(samples: transform.rgb(opaque, channels: layout.withoutAlpha.channels), stride: 3)
  }
}
