import Foundation
import Metrics
import Model
import Pixels

/// An error map as people see it: black where there is next to nothing, through red and yellow to white.
///
/// The scale is logarithmic and fixed, so that maps of two codecs can be compared: half of a photograph's
/// pixels are under 0.2 at a SSIMULACRA2 of 90, around 1.5 at 70, and around 8 at 30.
enum ErrorMapPicture {
  /// Up to this value a map is black.
  static let black: Float = 0.1
  /// From this value on it is white.
  static let white: Float = 30

  /// The map in false colours.
  static func raster(of map: ErrorMap) -> RasterImage? {
    let colours = colours
    let bytes = [UInt8](unsafeUninitializedCapacity: map.values.count * 3) { bytes, count in
      for value in map.values {
        let colour = colours[value]
        for step in 0..<3 { bytes.initializeElement(at: count + step, to: colour[step]) }
        count += 3
      }
    }
    return RasterImage(width: map.width, height: map.height, layout: .rgb, bytes: bytes)
  }

  /// The colour of a value: three ramps one after another, red up to a third of the scale, green up to two thirds, blue
  /// to the end. The fourth component is none.
  static func colour(of value: Float) -> SIMD4<UInt8> {
    let range = log(white / black)
    let level = value > black ? min(log(value / black) / range, 1) * 3 : 0
    var colour = SIMD4<UInt8>()
    for step in 0..<3 { colour[step] = UInt8((min(max(level - Float(step), 0), 1) * 255).rounded()) }
    return colour
  }

  /// Worked out once: a map has a value for each pixel, and the scale 766 colours.
  static let colours = Colours()

  /// The colours of all values, found by the leading bits of a value.
  ///
  /// Each octave of values falls into 256 cells, which are half as wide as a colour at most. So a cell has one colour, or
  /// two and a value at which the second begins.
  struct Colours {
    private struct Cell {
      var first, second: SIMD4<UInt8>
      /// The bits of the first value that has the second colour.
      var boundary: UInt32
    }

    private static let shift: UInt32 = 23 - 8
    private let lowest = black.bitPattern >> shift
    private let cells: [Cell]

    init() {
      cells = (lowest...white.bitPattern >> Self.shift).map { number in
        var (low, high) = (number << Self.shift, (number + 1) << Self.shift - 1)
        let (first, second) = (Self.colour(low), Self.colour(high))
        while first != second, high - low > 1 {
          let middle = low + (high - low) / 2
          if Self.colour(middle) == first { low = middle } else { high = middle }
        }
        return Cell(first: first, second: second, boundary: high)
      }
    }

    private static func colour(_ bits: UInt32) -> SIMD4<UInt8> {
      ErrorMapPicture.colour(of: Float(bitPattern: bits))
    }

    /// The colour of a value.
    subscript(value: Float) -> SIMD4<UInt8> {
      // No number is not above black either.
      guard value > black else { return cells[0].first }
      let bits = value.bitPattern
      let cell = cells[min(Int(bits >> Self.shift - lowest), cells.count - 1)]
      return bits >= cell.boundary ? cell.second : cell.first
    }
  }
}
