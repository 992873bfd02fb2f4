import Model
package import Pixels

/// Small images made from a seed, for tests that need pixels rather than a photograph.
package enum SyntheticImage {
  /// Smooth waves with a little noise, in any layout and depth: compressible, and different in every channel.
  package static func waves(
    width: Int, height: Int, layout: ChannelLayout = .rgb, bitDepth: Int = 8, seed: UInt64 = 1
  ) -> RasterImage? {
    var generator = SeededGenerator(seed: seed)
    let format = PixelFormat(layout: layout, bitDepth: bitDepth)
    var values: [Int] = []
    values.reserveCapacity(width * height * layout.channels)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<layout.channels {
          // A triangle wave for each channel and direction. It uses no library mathematics, so it is the same
          // everywhere.
          let period = 37 + 11 * channel
          let phase = (x * (channel + 1) + y * 2) % (2 * period)
          let wave = Double(min(phase, 2 * period - phase)) / Double(period)
          let noise = (generator.unit() - 0.5) * 0.05
          let level = min(max(0.1 + 0.8 * wave + noise, 0), 1)
          values.append(Int((level * Double(format.maximum)).rounded()))
        }
      }
    }
    let samples: RasterImage.Samples =
      bitDepth == 8
      ? .bytes(values.map { UInt8(truncatingIfNeeded: $0) })
      : .words(values.map { UInt16(truncatingIfNeeded: $0) })
    return RasterImage(width: width, height: height, format: format, samples: samples)
  }
}

extension RasterImage.Samples {
  /// The samples if they have eight bits, otherwise an error, so that no test passes because samples are missing.
  package func eightBits() throws -> [UInt8] {
    guard case .bytes(let bytes) = self else { throw DeeperSamples() }
    return bytes
  }

  private struct DeeperSamples: Error {}
}

extension RasterImage {
  /// Samples as RGBA of 8 bits: lossless WebP has neither gray nor an opaque alpha channel.
  private func rgba() throws -> [UInt8] {
    let bytes = try samples.eightBits()
    let layout = format.layout
    return (0..<bytes.count / layout.channels * 4).map { index in
      let (start, channel) = (index / 4 * layout.channels, index % 4)
      if channel == 3 { return layout.hasAlpha ? bytes[start + layout.channels - 1] : 255 }
      return bytes[start + (layout.isGray ? 0 : channel)]
    }
  }

  /// Whether both show the same pixels, whatever their layouts.
  package func shows(_ other: RasterImage) throws -> Bool { try rgba() == other.rgba() }

  /// The mean and largest difference, in levels, between a smaller RGB picture and the means of squares of this one.
  package func differences(of small: RasterImage, side: Int) throws -> (mean: Double, most: Int) {
    let (found, pixels) = (try small.samples.eightBits(), try samples.eightBits())
    var (all, most) = (0, 0)
    for (index, value) in found.enumerated() {
      let (x, y) = (index / 3 % small.width * side, index / 3 / small.width * side)
      let (columns, rows) = (x..<min(x + side, width), y..<min(y + side, height))
      var sum = 0
      for row in rows {
        for column in columns { sum += Int(pixels[(row * width + column) * 3 + index % 3]) }
      }
      let apart = abs(Int(value) - sum / (columns.count * rows.count))
      (all, most) = (all + apart, max(most, apart))
    }
    return (Double(all) / Double(found.count), most)
  }

  /// The mean distance of samples from those of a picture of the same size, as a share of the full range. Gray is
  /// compared as colour if the other picture has colours.
  package func distance(to other: RasterImage) -> Double {
    func values(_ image: RasterImage) -> [Double] {
      let scale = 1 / Double(image.format.maximum)
      return switch image.samples {
      case .bytes(let samples): samples.map { Double($0) * scale }
      case .words(let samples): samples.map { Double($0) * scale }
      }
    }
    let isColoured = format.layout.isGray && !other.format.layout.isGray
    let mine = isColoured ? Self.inColour(values(self), format.layout) : values(self)
    return zip(mine, values(other)).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(samples.count)
  }

  private static func inColour(_ values: [Double], _ layout: ChannelLayout) -> [Double] {
    var colours: [Double] = []
    for start in stride(from: 0, to: values.count, by: layout.channels) {
      colours += repeatElement(values[start], count: 3)
      if layout.hasAlpha { colours.append(values[start + 1]) }
    }
    return colours
  }
}
