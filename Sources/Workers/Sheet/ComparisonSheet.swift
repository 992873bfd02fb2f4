package import Model
import Pixels

/// A summary picture: a part of an image as each codec shows it at equal score, labelled with bytes and score, and bars
/// of the bytes below.
package struct ComparisonSheet: Codable, Sendable, Hashable {
  package struct Side: Codable, Sendable, Hashable {
    package var variant: CodecVariant
    package var quality: Quality
    /// A file that holds the encode; nil encodes again.
    package var kept: String?
    /// The lines above the picture, the first one large.
    package var lines: [String]

    package init(variant: CodecVariant, quality: Quality, kept: String? = nil, lines: [String]) {
      (self.variant, self.quality, self.kept, self.lines) = (variant, quality, kept, lines)
    }
  }

  package struct Bar: Codable, Sendable, Hashable {
    package var label: String
    /// Its length relative to the longest one.
    package var value: Double
    /// The text behind the bar.
    package var text: String

    package init(label: String, value: Double, text: String) {
      (self.label, self.value, self.text) = (label, value, text)
    }
  }

  package var title: String
  package var subtitle: String
  package var sides: [Side]
  package var barTitle: String
  package var bars: [Bar]
  package var footer: String

  package init(
    title: String, subtitle: String, sides: [Side], barTitle: String, bars: [Bar], footer: String
  ) {
    (self.title, self.subtitle, self.sides) = (title, subtitle, sides)
    (self.barTitle, self.bars, self.footer) = (barTitle, bars, footer)
  }

  /// The largest columns and rows of each picture, which is shown pixel by pixel.
  private static let largest = (width: 620, height: 460)
  /// The narrowest sheet that the words fit on.
  private static let narrowest = 900
  private static let margin = 28

  /// The middle part of an image, which is shown.
  func region(of image: RasterImage) -> PixelRegion? {
    let (width, height) = (min(image.width, Self.largest.width), min(image.height, Self.largest.height))
    return PixelRegion(
      x: (image.width - width) / 2, y: (image.height - height) / 2, width: width, height: height)
  }

  /// Draws the sheet with these pictures, one for each side.
  func drawn(_ pictures: [RasterImage]) -> RasterImage? {
    guard let first = pictures.first, pictures.count == sides.count else { return nil }
    let margin = Self.margin
    let pictured = pictures.count * (first.width + margin) + margin
    let width = max(pictured, Self.narrowest)
    let top = 140
    let bars = top + 78 + first.height + 60
    var canvas = SheetCanvas(width: width, height: bars + self.bars.count * 40 + 70)
    let room = width - 2 * margin
    canvas.write(title, x: margin, baseline: 52, .fitting(title, 22, room), .text, room: room)
    canvas.write(subtitle, x: margin, baseline: 90, .fitting(subtitle, 13, room), .faint, room: room)
    for (index, (side, picture)) in zip(sides, pictures).enumerated() {
      let left = (width - pictured) / 2 + margin + index * (first.width + margin)
      for (line, text) in side.lines.enumerated() {
        let size = line == 0 ? 18.0 : 13
        canvas.write(
          text, x: left, baseline: top + line * 30 + 6, .fitting(text, size, first.width),
          line == 0 ? .text : .faint, room: first.width)
      }
      canvas.place(picture, x: left, y: top + 60)
    }
    draw(from: bars, in: &canvas)
    return canvas.image
  }

  private func draw(from top: Int, in canvas: inout SheetCanvas) {
    let (margin, font) = (Self.margin, StrokeFont(size: 13))
    let room = canvas.width - 2 * margin
    canvas.write(barTitle, x: margin, baseline: top, .fitting(barTitle, 15, room), .text, room: room)
    let labels = min(bars.map { font.width($0.label) }.max() ?? 0, room / 3) + 16
    let texts = min(bars.map { font.width($0.text) }.max() ?? 0, room / 3) + 16
    let longest = max(bars.map(\.value).max() ?? 0, .leastNormalMagnitude)
    for (index, bar) in bars.enumerated() {
      let y = top + 22 + index * 40
      let share = bar.value / longest
      let length = Int(
        (Double(room - labels - texts) * (share.isFinite ? min(max(share, 0), 1) : 1)).rounded())
      canvas.write(bar.label, x: margin, baseline: y + 21, font, .text, room: labels)
      canvas.fill(
        x: margin + labels, y: y, width: max(1, length), height: 28,
        SheetCanvas.Ink.bars[index % SheetCanvas.Ink.bars.count])
      canvas.write(bar.text, x: margin + labels + length + 12, baseline: y + 21, font, .text, room: texts)
    }
    canvas.write(
      footer, x: margin, baseline: canvas.height - 22, .fitting(footer, 11, room), .faint, room: room)
  }
}

extension StrokeFont {
  /// A font in which a text fits into `room`, but not under 9 pixels.
  fileprivate static func fitting(_ text: String, _ size: Double, _ room: Int) -> StrokeFont {
    let wide = StrokeFont(size: size).width(text)
    return StrokeFont(size: wide > room ? max(9, size * Double(room) / Double(wide)) : size)
  }
}
