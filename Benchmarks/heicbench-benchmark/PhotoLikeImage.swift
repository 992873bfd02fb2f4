import Model
import Pixels

/// Images made from a seed that cost encoders and metrics about as much as photographs: noise of many scales, grain and
/// edges.
enum PhotoLikeImage {
  /// An RGB image of 8 bits.
  static func make(width: Int, height: Int, seed: UInt64) -> RasterImage? {
    var generator = SeededGenerator(seed: seed)
    let octaves = (0..<6).map { Octave(period: 4 << ($0 + $0 / 2), using: &generator) }
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        // A hill line makes a hard edge between two exposures.
        var level: Float = Float(y) * 2 > Float(height) + 40 * octaves[5].value(x, 0) ? 80 : 150
        for (index, octave) in octaves.enumerated() { level += Float(3 << index) * octave.value(x, y) }
        let tint = 20 * octaves[4].value(y, x)
        let grain = Float(truncatingIfNeeded: generator.next() & 7) - 3.5
        let at = (y * width + x) * 3
        bytes[at] = clamped(level + tint + grain)
        bytes[at + 1] = clamped(level + grain)
        bytes[at + 2] = clamped(level - tint + grain)
      }
    }
    return RasterImage(width: width, height: height, layout: .rgb, bytes: bytes)
  }

  private static func clamped(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }

  /// Value noise of one scale: random numbers on a grid, interpolated in between.
  private struct Octave {
    private static let side = 64
    private let period: Int
    private let grid: [Float]

    init(period: Int, using generator: inout SeededGenerator) {
      self.period = period
      var numbers: [Float] = []
      for _ in 0..<Self.side * Self.side { numbers.append(Float(generator.unit()) * 2 - 1) }
      grid = numbers
    }

    func value(_ x: Int, _ y: Int) -> Float {
      let (column, row) = (x / period, y / period)
      let (u, v) = (Float(x % period) / Float(period), Float(y % period) / Float(period))
      let top = cell(column, row) * (1 - u) + cell(column + 1, row) * u
      let bottom = cell(column, row + 1) * (1 - u) + cell(column + 1, row + 1) * u
      return top * (1 - v) + bottom * v
    }

    private func cell(_ column: Int, _ row: Int) -> Float {
      grid[(row % Self.side) * Self.side + column % Self.side]
    }
  }
}

extension Float {
  fileprivate init(truncatingIfNeeded bits: UInt64) { self = Float(Int(truncatingIfNeeded: bits)) }
}
