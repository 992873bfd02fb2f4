import CPixelKernels

/// Makes the next level of a pyramid: half the size with odd sides rounded up, each pixel the mean of 2 × 2 in linear
/// light, in the image's own profile, layout and depth. The last column or row of an odd side counts twice, so that
/// pixels stay aligned across levels. Alpha weights the colours.
struct Halving {
  private enum Way {
    /// Opaque 8-bit sRGB through tables, the case for nearly all pictures.
    case plain
    /// Linear light of any profile, depth and layout.
    case light(LightEncoder)
  }

  private let way: Way
  private let width, height: Int

  init(width: Int, height: Int, format: PixelFormat, profile: ColorProfile) throws(PixelError) {
    (self.width, self.height) = (width, height)
    if format.bitDepth == 8, profile == .sRGB, !format.layout.hasAlpha {
      way = .plain
    } else {
      way = .light(try LightEncoder(format, profile))
    }
  }

  /// Halves rows of a part of the image, from an even row of the image up to an even row or the last one.
  func halve(_ part: RasterImage, rows: Range<Int>) throws(PixelError) -> RasterImage {
    if case .bytes(let bytes) = part.samples, case .plain = way {
      let samples = halvePlain(bytes, part.format.layout.channels, rows)
      return RasterImage(
        unchecked: part, width: (width + 1) / 2, height: (rows.count + 1) / 2, format: part.format,
        samples: .bytes(samples))
    }
    let encoder: LightEncoder
    if case .light(let known) = way { encoder = known } else { encoder = try LightEncoder(like: part) }
    // The whole image's pixel count, not the part's, decides whether to tabulate a profile.
    let light = try LinearLight(part, pixels: width * height)
    return part.encoded(width: (width + 1) / 2, rows: (rows.count + 1) / 2) { index in
      let y = rows.lowerBound + 2 * index
      var sums = BoxSums(width: (width + 1) / 2, n: 2)
      for row in [y, min(y + 1, rows.upperBound - 1)] { sums.add(light.row(row)) }
      return encoder.encode(sums.means)
    }
  }

  private func halvePlain(_ source: [UInt8], _ channels: Int, _ rows: Range<Int>) -> [UInt8] {
    let row = (width + 1) / 2 * channels
    let light = SRGBCurve.table(maximum: 255)
    precondition(rows.lowerBound >= 0 && rows.upperBound * width * channels <= source.count)
    return [UInt8](unsafeUninitializedCapacity: row * ((rows.count + 1) / 2)) { target, count in
      source.withUnsafeBufferPointer { source in
        light.withUnsafeBufferPointer { light in
          LightSteps.sRGB.withTables { nearest, limits in
            guard let pixels = source.baseAddress, var out = target.baseAddress,
              let light = light.baseAddress,
              let nearest = nearest.baseAddress, let limits = limits.baseAddress
            else { return }
            let tables = hb_light_tables(light: light, nearest: nearest, limits: limits)
            for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
              let upper = pixels + y * width * channels
              let lower = pixels + min(y + 1, rows.upperBound - 1) * width * channels
              hb_halve_rows(tables, upper, lower, width, channels, out)
              out += row
            }
          }
        }
      }
      count = row * ((rows.count + 1) / 2)
    }
  }
}

extension RasterImage {
  /// The next level of a pyramid; see `Halving`. Throws for an unusable colour profile.
  package func halved() throws(PixelError) -> RasterImage {
    try Halving(width: width, height: height, format: format, profile: profile).halve(self, rows: 0..<height)
  }
}

extension LightSteps {
  static let sRGB = LightSteps(
    limits: (0...255).map { $0 == 0 ? 0 : Float(light((Double($0) - 0.5) / 255)) })

  /// The inverse of `SRGBCurve.encoded`, by bisection: 60 steps reach the last bits of a double.
  private static func light(_ encoded: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if SRGBCurve.encoded(middle) < encoded { low = middle } else { high = middle }
    }
    return high
  }
}
