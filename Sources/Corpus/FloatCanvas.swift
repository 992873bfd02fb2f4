import Pixels

/// A colour as red, green and blue from 0 to 1 on the display's (sRGB-encoded) scale.
struct Colour {
  var red: Double
  var green: Double
  var blue: Double

  init(_ red: Double, _ green: Double, _ blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The colour that is a fraction `t` of the way to `other`.
  func mixed(with other: Colour, _ t: Double) -> Colour {
    Colour(red + (other.red - red) * t, green + (other.green - green) * t, blue + (other.blue - blue) * t)
  }

  func scaled(_ factor: Double) -> Colour { Colour(red * factor, green * factor, blue * factor) }
}

/// A canvas of interleaved red, green and blue, 0 to 1, row by row.
///
/// This module uses only the four basic operations and the square root, because IEEE 754 defines their results to the
/// last bit and the corpus must be the same on every machine. Sine, exponential and power are not defined that exactly.
struct FloatCanvas {
  let width: Int
  let height: Int
  private(set) var values: [Double]

  init(width: Int, height: Int, filledWith colour: Colour = Colour(0, 0, 0)) {
    self.width = width
    self.height = height
    values = []
    values.reserveCapacity(width * height * 3)
    for _ in 0..<(width * height) { values += [colour.red, colour.green, colour.blue] }
  }

  subscript(x: Int, y: Int) -> Colour {
    get {
      let at = (y * width + x) * 3
      return Colour(values[at], values[at + 1], values[at + 2])
    }
    set {
      let at = (y * width + x) * 3
      values[at] = newValue.red
      values[at + 1] = newValue.green
      values[at + 2] = newValue.blue
    }
  }

  mutating func paint(_ paint: (_ x: Int, _ y: Int, _ old: Colour) -> Colour) {
    for y in 0..<height {
      for x in 0..<width { self[x, y] = paint(x, y, self[x, y]) }
    }
  }

  /// Blends `colour` over a pixel with the given coverage, 0 to 1. Pixels outside are ignored.
  mutating func blend(_ x: Int, _ y: Int, _ colour: Colour, coverage: Double) {
    guard x >= 0, x < width, y >= 0, y < height, coverage > 0 else { return }
    self[x, y] = self[x, y].mixed(with: colour, min(coverage, 1))
  }

  /// Blurs with the binomial kernel 1-2-1, `passes` times in each direction: a Gaussian blur of variance passes / 2,
  /// like that of a lens, without an exponential.
  mutating func soften(passes: Int) {
    for _ in 0..<passes {
      for (step, count, lines, lineStep) in [
        (3, width, height, width * 3), (width * 3, height, width, 3),
      ] {
        for line in 0..<lines {
          for channel in 0..<3 { softenLine(from: line * lineStep + channel, step: step, count: count) }
        }
      }
    }
  }

  private mutating func softenLine(from start: Int, step: Int, count: Int) {
    var previous = values[start]
    var current = previous
    for index in 0..<count {
      let at = start + index * step
      let next = index + 1 < count ? values[at + step] : current
      values[at] = (previous + 2 * current + next) / 4
      (previous, current) = (current, next)
    }
  }

  func raster() -> RasterImage? {
    RasterImage(width: width, height: height, layout: .rgb, bytes: values.map { UInt8(level($0, of: 255)) })
  }

  func deepRaster() -> RasterImage? {
    RasterImage(
      width: width, height: height, format: PixelFormat(layout: .rgb, bitDepth: 16),
      samples: .words(values.map { UInt16(level($0, of: 65535)) }))
  }

  /// Rounds the luma of BT.601 to 8-bit gray.
  func grayRaster() -> RasterImage? {
    let luma = stride(from: 0, to: values.count, by: 3).map { (at: Int) -> Double in
      let (red, green, blue) = (values[at], values[at + 1], values[at + 2])
      return 0.299 * red + 0.587 * green + 0.114 * blue
    }
    return RasterImage(
      width: width, height: height, layout: .gray, bytes: luma.map { UInt8(level($0, of: 255)) })
  }

  private func level(_ value: Double, of maximum: Double) -> Double {
    (min(max(value, 0), 1) * maximum).rounded()
  }
}
