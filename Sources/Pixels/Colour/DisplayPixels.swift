extension RasterImage {
  /// The image as a screen of SDR can show it: HDR light tone mapped, others as they are.
  package var forScreen: RasterImage {
    if case .light(let light) = profile { toneMapped(light) } else { self }
  }

  /// The image for a screen: 8-bit sRGB with straight alpha, four bytes a pixel in the order red, green, blue, alpha.
  /// The profile's perceptual intent maps colours outside sRGB; an unusable profile counts as sRGB, as in the readers.
  /// HDR light is tone mapped.
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

  /// sRGB samples, and the layout of a pixel in them.
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

  /// The share of SDR's white up to which a screen shows HDR's light as it is.
  private static var knee: Float { 0.6 }

  /// A picture in sRGB of HDR light: luminance up to the knee unchanged, and above it up to 1,000 cd/m² by Reinhard's
  /// extended curve (Reinhard et al., “Photographic tone reproduction for digital images”, 2002, equation 4), which has
  /// the slope 1 at the knee.
  private func toneMapped(_ light: HDRLight) -> RasterImage {
    guard let rows = try? LinearLight(self) else { return tagged(.sRGB) }
    let encoder = try? LightEncoder(PixelFormat(layout: format.layout), .sRGB)
    let knee = Self.knee
    let most = (Float(min(light.peak, HDRLight.nominalPeak) / HDRLight.referenceWhite) - knee) / (1 - knee)
    var bytes: [UInt8] = []
    for y in 0..<height {
      var row = rows.row(y)
      for x in 0..<width {
        let luminance = 0.2126 * row.planes[0][x] + 0.7152 * row.planes[1][x] + 0.0722 * row.planes[2][x]
        guard luminance > knee else { continue }
        let over = (luminance - knee) / (1 - knee)
        let shown = min(knee + (1 - knee) * over * (1 + over / max(most * most, 1)) / (1 + over), 1)
        for channel in 0..<3 { row.planes[channel][x] *= shown / luminance }
      }
      bytes += (encoder?.encode(row) ?? []).map { UInt8(clamping: $0) }
    }
    return RasterImage(width: width, height: height, layout: format.layout, bytes: bytes) ?? tagged(.sRGB)
  }
}
