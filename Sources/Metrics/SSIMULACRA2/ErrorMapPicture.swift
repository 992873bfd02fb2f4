import Foundation
package import Pixels

/// An error map in false colours, from black for almost no error through red and yellow to white. The scale is
/// logarithmic and fixed, so that maps of two codecs can be compared: the median error of a photograph's pixels is
/// about 0.2 at a SSIMULACRA2 of 90, 1.5 at 70, and 8 at 30. It has 256 levels: more would look the same, and one byte
/// per pixel compresses in two fifths of the time.
package enum ErrorMapPicture {
  static let black: Float = 0.1
  static let white: Float = 30
  private static let top: Float = 255
  /// The number of low bits to ignore in a value: the remaining steps are an eighth of a level.
  private static let shift: UInt32 = 23 - 8

  package static func picture(of errors: ErrorRows) -> IndexedPicture? {
    let (width, height) = (errors.width, errors.height)
    let lowest = black.bitPattern >> shift
    let last = UInt32(levels.count - 1)
    let indices = levels.withUnsafeBufferPointer { levels in
      [UInt8](unsafeUninitializedCapacity: width * height) { indices, count in
        for y in 0..<height {
          let (row, out) = (errors[y], indices.extracting(y * width..<(y + 1) * width))
          for x in 0..<width {
            // NaN also fails this comparison.
            let bits = row[x] > black ? row[x].bitPattern >> shift - lowest : 0
            out.initializeElement(at: x, to: levels[Int(min(bits, last))])
          }
        }
        count = width * height
      }
    }
    return IndexedPicture(width: width, height: height, palette: palette, indices: indices)
  }

  static func level(of value: Float) -> UInt8 {
    guard value > black else { return 0 }
    return UInt8((min(log(value / black) / log(white / black), 1) * top).rounded())
  }

  /// The colours of all levels: successive ramps of red, green and blue, each over a third of the scale.
  static let palette: [UInt8] = (0...Int(top)).flatMap { level in
    (0..<3).map { step in
      UInt8((min(max(3 * Float(level) / top - Float(step), 0), 1) * 255).rounded())
    }
  }

  /// The levels of all values from black to white, indexed by a value's leading bits.
  private static let levels: [UInt8] = (black.bitPattern >> shift...white.bitPattern >> shift).map { bits in
    level(of: Float(bitPattern: bits << shift))
  }
}
