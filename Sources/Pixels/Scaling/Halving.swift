extension RasterImage {
  /// The next smaller level of a pyramid: half the size, odd sides rounded up, each pixel the mean of 2 × 2 in
  /// linear light, in the image's own profile, layout and depth. The last column or row of an odd side counts
  /// twice, so that pixels lie over those that they stand for at every level. With alpha, colours count as much
  /// as they are opaque.
  ///
  /// Throws `profile` when the colour profile cannot be used.
  package func halved() throws(PixelError) -> RasterImage {
    let (newWidth, newHeight) = ((width + 1) / 2, (height + 1) / 2)
    let small: Samples
    if case .bytes(let bytes) = samples, profile == .sRGB, !format.layout.hasAlpha {
      small = .bytes(
        PlainHalving(width: width, height: height, channels: format.layout.channels).halve(bytes))
    } else {
      small = try halvedLight()
    }
    return RasterImage(unchecked: self, width: newWidth, height: newHeight, format: format, samples: small)
  }

  /// Halves through linear light of any profile, depth and layout.
  private func halvedLight() throws(PixelError) -> Samples {
    let light = try LinearLight(self)
    let encoder = try LightEncoder(like: self)
    var samples: [UInt16] = []
    samples.reserveCapacity((width + 1) / 2 * ((height + 1) / 2) * format.layout.channels)
    for y in stride(from: 0, to: height, by: 2) {
      let rows = [light.row(y), light.row(min(y + 1, height - 1))]
      samples += encoder.encode(Self.mean(rows, width: width))
    }
    return format.bitDepth == 8 ? .bytes(samples.map { UInt8(truncatingIfNeeded: $0) }) : .words(samples)
  }

  /// The means of 2 × 2 values of two rows.
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

/// Halving of opaque 8-bit sRGB samples through tables, which is what nearly all pictures are.
private struct PlainHalving {
  let width, height, channels: Int

  func halve(_ source: [UInt8]) -> [UInt8] {
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    let light = SRGBCurve.table(maximum: 255)
    let steps = LightSteps.sRGB
    return [UInt8](unsafeUninitializedCapacity: columns * rows * channels) { target, count in
      source.withUnsafeBufferPointer { source in
        light.withUnsafeBufferPointer { light in
          steps.withTables { nearest, limits in
            for row in 0..<rows {
              let upper = row * 2 * width * channels
              let lower = min(row * 2 + 1, height - 1) * width * channels
              for column in 0..<columns {
                let left = column * 2 * channels
                let right = min(column * 2 + 1, width - 1) * channels
                for channel in 0..<channels {
                  let sum =
                    light[Int(source[upper + left + channel])] + light[Int(source[upper + right + channel])]
                    + light[Int(source[lower + left + channel])] + light[Int(source[lower + right + channel])]
                  let mean = sum / 4
                  let guess = nearest[Int(mean * LightSteps.scale)]
                  let isMore = mean >= limits[Int(guess) + 1]
                  target[(row * columns + column) * channels + channel] = isMore ? guess + 1 : guess
                }
              }
            }
          }
        }
      }
      count = columns * rows * channels
    }
  }
}

extension LightSteps {
  /// Those of sRGB.
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
