extension RasterImage {
  /// The image as an SDR screen can show it: HDR light is tone mapped, other images stay unchanged.
  package var forScreen: RasterImage {
    if case .light(let light) = profile { toneMapped(light) } else { self }
  }

  /// The share of SDR white up to which HDR light is shown unchanged.
  private static var knee: Float { 0.6 }

  /// An sRGB picture of HDR light: luminance up to the knee stays unchanged, and from there up to 1,000 cd/m² it
  /// follows Reinhard's extended curve (Reinhard et al., “Photographic tone reproduction for digital images”, 2002,
  /// equation 4), which has a slope of 1 at the knee.
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
