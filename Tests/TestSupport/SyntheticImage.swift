import Model
package import Pixels

/// Small images made from a seed, for tests that need pixels and not a photograph.
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
          // A triangle wave per channel and direction: no library mathematics, so the same everywhere.
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
  /// Samples of eight bits; an error for deeper ones, so that no test passes for want of them.
  package func eightBits() throws -> [UInt8] {
    guard case .bytes(let bytes) = self else { throw DeeperSamples() }
    return bytes
  }

  private struct DeeperSamples: Error {}
}
