import CPixelKernels

/// Makes the next level of a pyramid: half the size, odd sides rounded up, each pixel the mean of 2 × 2 in linear
/// light, in the image's own profile, layout and depth. The last column or row of an odd side counts twice, so that
/// pixels stay aligned across levels. Alpha weights the colours.
struct Halving {
  private enum Way {
    /// Opaque 8-bit sRGB through tables: nearly all pictures.
    case plain
    /// Linear light of any profile, depth and layout.
    case light(LightEncoder)
  }

  private let way: Way
  private let width, height: Int

  /// Prepares to halve an image, in whole or by rows. Throws `profile` for an unusable colour profile.
  init(width: Int, height: Int, format: PixelFormat, profile: ColorProfile) throws(PixelError) {
    (self.width, self.height) = (width, height)
    if format.bitDepth == 8, profile == .sRGB, !format.layout.hasAlpha {
      way = .plain
    } else {
      way = .light(try LightEncoder(format, profile))
    }
  }

  /// Halves rows of a part of the image, from an even row of the image to an even or the last one.
  func halve(_ part: RasterImage, rows: Range<Int>) throws(PixelError) -> RasterImage {
    let samples: RasterImage.Samples
    if case .bytes(let bytes) = part.samples, case .plain = way {
      samples = .bytes(halvePlain(bytes, part.format.layout.channels, rows))
    } else {
      let encoder: LightEncoder
      if case .light(let known) = way { encoder = known } else { encoder = try LightEncoder(like: part) }
      // The whole image's pixel count, not the part's, decides on tabulating a profile.
      samples = Self.halve(
        try LinearLight(part, pixels: width * height), encoder, rows, bitDepth: part.format.bitDepth)
    }
    return RasterImage(
      unchecked: part, width: (width + 1) / 2, height: (rows.count + 1) / 2, format: part.format,
      samples: samples)
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

  private static func halve(
    _ light: LinearLight, _ encoder: LightEncoder, _ rows: Range<Int>, bitDepth: Int
  ) -> RasterImage.Samples {
    let width = light.image.width
    var samples: [UInt16] = []
    samples.reserveCapacity((width + 1) / 2 * ((rows.count + 1) / 2) * light.image.format.layout.channels)
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
      let pair = [light.row(y), light.row(min(y + 1, rows.upperBound - 1))]
      samples += encoder.encode(mean(pair, width: width))
    }
    return bitDepth == 8 ? .bytes(samples.map { UInt8(truncatingIfNeeded: $0) }) : .words(samples)
  }

  private static func mean(_ rows: [LinearLight.Row], width: Int) -> LinearLight.Row {
    let count = (width + 1) / 2
    var planes = [[Float]](repeating: [Float](repeating: 0, count: count), count: 3)
    var coverage = [Float](repeating: 0, count: count)
    for row in rows {
      for x in 0..<(count * 2) {
        let source = min(x, width - 1)
        coverage[x / 2] += row.alpha[source]
        for plane in 0..<3 { planes[plane][x / 2] += row.alpha[source] * row.planes[plane][source] }
      }
    }
    let colours = planes.map { plane in
      plane.indices.map { coverage[$0] > 0 ? plane[$0] / coverage[$0] : plane[$0] }
    }
    return LinearLight.Row(planes: colours, alpha: coverage.map { $0 / 4 })
  }
}

extension RasterImage {
  /// The next level of a pyramid, see `Halving`. Throws `profile` for an unusable colour profile.
  package func halved() throws(PixelError) -> RasterImage {
    try Halving(width: width, height: height, format: format, profile: profile).halve(self, rows: 0..<height)
  }
}

extension LightSteps {
  static let sRGB = LightSteps(
    limits: (0...255).map { $0 == 0 ? 0 : Float(light((Double($0) - 0.5) / 255)) })

  /// The inverse of `SRGBCurve.encoded`, by bisection: 60 halvings reach the last bits of a double.
  private static func light(_ encoded: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if SRGBCurve.encoded(middle) < encoded { low = middle } else { high = middle }
    }
    return high
  }
}
