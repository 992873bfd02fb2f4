import Model
import Pixels

enum DrawnScenes {
  static func gradient(width: Int, height: Int) -> FloatCanvas {
    var canvas = FloatCanvas(width: width, height: height)
    canvas.paint { x, y, _ in
      let (u, v) = (Double(x) / Double(width - 1), Double(y) / Double(height - 1))
      let (dx, dy) = (u - 0.68, v - 0.3)
      let glow = 1 / (1 + 9 * (dx * dx + dy * dy))
      return Colour(0.10 + 0.75 * glow, 0.16 + 0.5 * glow * (1 - 0.4 * v), 0.42 + 0.38 * v * u)
    }
    return canvas
  }

  static func screen(width: Int, height: Int) -> FloatCanvas {
    var canvas = FloatCanvas(width: width, height: height, filledWith: Colour(0.95, 0.95, 0.96))
    let (ink, blue) = (Colour(0.13, 0.14, 0.17), Colour(0.10, 0.38, 0.85))
    fill(&canvas, x: 0, y: 0, width: width, height: 36, Colour(0.20, 0.22, 0.27))
    BitmapFont.write("HEICBENCH 1.0", on: &canvas, x: 14, y: 10, scale: 2, colour: Colour(1, 1, 1))
    fill(&canvas, x: 0, y: 36, width: 132, height: height - 36, Colour(0.88, 0.90, 0.93))
    for (row, label) in ["SUMMARY", "IMAGES", "CURVES", "FAILURES", "MACHINE"].enumerated() {
      let chosen = row == 2
      if chosen { fill(&canvas, x: 6, y: 52 + row * 26, width: 120, height: 22, blue) }
      BitmapFont.write(
        label, on: &canvas, x: 16, y: 60 + row * 26, scale: 1, colour: chosen ? Colour(1, 1, 1) : ink)
    }
    BitmapFont.write("QUALITY 0.1 - 1.0", on: &canvas, x: 150, y: 54, scale: 3, colour: ink)
    var generator = SeededGenerator(seed: 5)
    for line in 0..<((height - 120) / 14) {
      let text = (0..<((width - 170) / 6 - 2)).map { _ in
        let letters = Array("ETAOINSHRDLU CMFWYPVBGK 0123456789  .,")
        return letters[Int(generator.unit() * Double(letters.count))]
      }
      let colour = line % 7 == 3 ? Colour(0.78, 0.12, 0.12) : line % 5 == 1 ? blue : ink
      BitmapFont.write(String(text), on: &canvas, x: 150, y: 92 + line * 14, scale: 1, colour: colour)
    }
    fill(&canvas, x: width - 112, y: height - 24, width: 100, height: 18, Colour(0.16, 0.62, 0.30))
    BitmapFont.write(
      "RUN AGAIN", on: &canvas, x: width - 90, y: height - 18, scale: 1, colour: Colour(1, 1, 1))
    return canvas
  }

  static func lineArt(width: Int, height: Int) -> FloatCanvas {
    var canvas = FloatCanvas(width: width, height: height, filledWith: Colour(1, 1, 1))
    let (centreX, centreY) = (Double(width) * 0.42, Double(height) * 0.52)
    canvas.paint { x, y, paper in
      let (dx, dy) = (Double(x) - centreX, Double(y) - centreY)
      let distance = (dx * dx + dy * dy).squareRoot()
      let ring = distance / 23
      let fromRing = abs(ring - ring.rounded()) * 23
      var colour = Int(ring.rounded(.down)) % 3 == 1 ? Colour(0.96, 0.83, 0.33) : paper
      if dx + 2 * dy > 150 { colour = colour.mixed(with: Colour(0.42, 0.68, 0.86), 0.6) }
      let diagonal = abs((Double(x) * 0.6 - Double(y) * 0.8) / 31)
      let fromLine = abs(diagonal - diagonal.rounded()) * 31
      let ink = max(1.3 - fromRing, dx > 60 ? 1.0 - fromLine : 0)
      return colour.mixed(with: Colour(0.08, 0.08, 0.10), min(max(ink, 0.0), 1.0))
    }
    return canvas
  }

  /// A disc with a soft edge and a shadow on a transparent background, with straight alpha.
  static func badge(side: Int) -> RasterImage? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * side * 4)
    let grain = FractalNoise(seed: 97, octaves: 4, coarsest: 40)
    for y in 0..<side {
      for x in 0..<side {
        let (u, v) = (Double(x) / Double(side) - 0.5, Double(y) / Double(side) - 0.5)
        let inside: Double = (0.36 - (u * u + v * v).squareRoot()) * Double(side) / 2
        let disc = min(max(inside, 0), 1)
        let (sx, sy) = (u - 0.04, v - 0.07)
        let distance: Double = (sx * sx + sy * sy).squareRoot()
        let shadow = max(0, 0.5 - 1.15 * distance) * 1.2
        let alpha = disc + (1 - disc) * min(shadow, 0.6)
        let light = 0.75 - 0.5 * v + 0.12 * grain.value(Double(x), Double(y))
        let green: Double = 0.24 + 0.4 * u
        for part: Double in [0.86, green, 0.18] {
          let value: Double = part * light * disc
          bytes.append(UInt8((min(max(value, 0), 1) * 255).rounded()))
        }
        bytes.append(UInt8((min(alpha, 1) * 255).rounded()))
      }
    }
    return RasterImage(width: side, height: side, layout: .rgba, bytes: bytes)
  }

  static func ramp(height: Int) -> RasterImage? {
    let bytes = (0..<height).flatMap { (row: Int) -> [UInt8] in
      [UInt8(200 - row * 5), UInt8(40 + row * 4), 90]
    }
    return RasterImage(width: 1, height: height, layout: .rgb, bytes: bytes)
  }

  private static func fill(
    _ canvas: inout FloatCanvas, x: Int, y: Int, width: Int, height: Int, _ colour: Colour
  ) {
    for row in y..<(y + height) {
      for column in x..<(x + width) { canvas.blend(column, row, colour, coverage: 1) }
    }
  }
}
