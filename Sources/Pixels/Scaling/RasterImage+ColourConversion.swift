extension RasterImage {
  /// Encodes light in a profile. Colours outside the profile's gamut are clipped. Nil if the number of samples does not
  /// match, or for a profile that does not convert from light.
  /// - Parameter light: Interleaved linear sRGB in the format's layout, with alpha from 0 to 1.
  package init?(light: [Float], width: Int, height: Int, format: PixelFormat, profile: ColorProfile) {
    let channels = format.layout.channels
    guard light.count == width * height * channels, let encoder = try? LightEncoder(format, profile) else {
      return nil
    }
    let colours = format.layout.isGray ? [0, 0, 0] : [0, 1, 2]
    let samples = Samples(format, width: width, rows: height) { y in
      func plane(_ channel: Int) -> [Float] {
        let start = y * width * channels + channel
        return (0..<width).map { light[start + $0 * channels] }
      }
      let alpha = format.layout.hasAlpha ? plane(channels - 1) : [Float](repeating: 1, count: width)
      return encoder.encode(LinearLight.Row(planes: colours.map(plane), alpha: alpha))
    }
    self.init(width: width, height: height, format: format, profile: profile, samples: samples)
  }

  /// The picture in the colour space of another, with 16 bits if that needs a conversion; colours outside that space
  /// are clipped. Throws for an unusable profile.
  package func inSpace(of other: RasterImage) throws(PixelError) -> RasterImage {
    guard try !profile.hasLight(of: other.profile) else { return self }
    // Gray may have three different values in a colour space.
    let isColour = format.layout.isGray && !other.format.layout.isGray && other.profile.iccBytes != nil
    let colours: ChannelLayout = format.layout.hasAlpha ? .rgba : .rgb
    let format = PixelFormat(layout: isColour ? colours : format.layout, bitDepth: 16)
    let (light, encoder) = (try LinearLight(self), try LightEncoder(format, other.profile))
    let samples = Samples(format, width: width, rows: height) { encoder.encode(light.row($0)) }
    return RasterImage(
      unchecked: self, profile: other.profile, width: width, height: height, format: format, samples: samples)
  }
}

extension ColorProfile {
  /// True if the same samples have the same light in both profiles, within half a level of 8-bit sRGB. HDR light counts
  /// as equal, because it is not compared by samples. Throws for an unusable profile.
  package func hasLight(of other: ColorProfile) throws(PixelError) -> Bool {
    if self == other { return true }
    if case .light = self { return true }
    if case .light = other { return true }
    let (own, others) = (try Self.probes(self), try Self.probes(other))
    // A gray profile says nothing about colours.
    return zip(own, others).allSatisfy { abs($0 - $1) <= 0.5 / 255 }
  }

  private static let steps = 32

  /// The sRGB values, extended below 0 and above 1, of a ramp of grays and, unless the profile is gray, of colours.
  private static func probes(_ profile: ColorProfile) throws(PixelError) -> [Double] {
    let ramp = (0...steps).map { Float($0) / Float(steps) }
    let none = [Float](repeating: 0, count: ramp.count)
    let ramps = [
      [ramp, ramp, ramp], [ramp, none, none], [none, ramp, none], [none, none, ramp], [ramp, ramp, none],
      [none, ramp, ramp], [ramp, none, ramp],
    ]
    guard let icc = profile.iccBytes else {
      return ramps.flatMap { $0.flatMap { $0 } }.map(Double.init)
    }
    let transform = try ColorTransform.toLinearSRGB(icc)
    let light =
      transform.profileChannels == 1
      ? transform.convert([ramp], to: 3) : ramps.flatMap { transform.convert($0, to: 3) }
    return light.flatMap { $0 }.map { value in
      let encoded = SRGBCurve.encoded(Double(abs(value)))
      return value < 0 ? -encoded : encoded
    }
  }
}
