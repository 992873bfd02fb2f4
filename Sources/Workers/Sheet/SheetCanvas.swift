import Foundation
import Pixels

/// A picture under construction: rectangles, parts of pictures and lines of text, in sRGB.
struct SheetCanvas {
  struct Ink {
    var (red, green, blue): (Double, Double, Double)

    static let paper = Ink(red: 255, green: 255, blue: 255)
    static let text = Ink(red: 26, green: 26, blue: 30)
    static let faint = Ink(red: 110, green: 112, blue: 120)
    /// The reference's bar, then those of the compared codecs: colours that also differ in brightness.
    static let bars = [
      Ink(red: 150, green: 153, blue: 160), Ink(red: 32, green: 98, blue: 190),
      Ink(red: 214, green: 110, blue: 30),
      Ink(red: 20, green: 130, blue: 90),
    ]
  }

  let (width, height): (Int, Int)
  private var samples: [UInt8]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    samples = [UInt8](repeating: 255, count: width * height * 3)
  }

  var image: RasterImage? { RasterImage(width: width, height: height, layout: .rgb, bytes: samples) }

  /// Fills a rectangle, clipped to the sheet.
  mutating func fill(x: Int, y: Int, width: Int, height: Int, _ ink: Ink) {
    for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
      for column in max(0, x)..<max(0, x, min(self.width, x + width)) { mix(column, row, 1, ink) }
    }
  }

  /// Puts a picture on the sheet, over white if it is transparent.
  mutating func place(_ picture: RasterImage, x: Int, y: Int) {
    let pixels = picture.displayPixels()
    for row in 0..<min(picture.height, height - y) {
      for column in 0..<min(picture.width, width - x) {
        let at = (row * picture.width + column) * 4
        let ink = Ink(red: Double(pixels[at]), green: Double(pixels[at + 1]), blue: Double(pixels[at + 2]))
        mix(x + column, y + row, Double(pixels[at + 3]) / 255, ink)
      }
    }
  }

  /// Writes a line, cut at `room`.
  mutating func write(_ text: String, x: Int, baseline: Int, _ font: StrokeFont, _ ink: Ink, room: Int) {
    var text = text
    while !text.isEmpty, font.width(text) > room { text.removeLast() }
    var canvas = self
    font.draw(text, x: x, baseline: baseline) { canvas.mix($0, $1, $2, ink) }
    self = canvas
  }

  private mutating func mix(_ x: Int, _ y: Int, _ part: Double, _ ink: Ink) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let at = (y * width + x) * 3
    for (channel, value) in [ink.red, ink.green, ink.blue].enumerated() {
      let mixed = Double(samples[at + channel]) * (1 - part) + value * part
      samples[at + channel] = UInt8(min(max(mixed.rounded(), 0), 255))
    }
  }
}
