package import Model
import Pixels

/// The one picture that says it all: a part of an image as each codec shows it at equal score, with bytes and score
/// written in, and bars of the bytes below.
package struct ComparisonSheet: Codable, Sendable, Hashable {
  /// What a codec makes of the image.
  package struct Side: Codable, Sendable, Hashable {
    /// The codec with its settings.
    package var variant: CodecVariant
    /// The quality.
    package var quality: Quality
    /// A file that holds the encode already; nil encodes again.
    package var kept: String?
    /// What stands above the picture, the first line large.
    package var lines: [String]

    /// Shows a point.
    package init(variant: CodecVariant, quality: Quality, kept: String? = nil, lines: [String]) {
      (self.variant, self.quality, self.kept, self.lines) = (variant, quality, kept, lines)
    }
  }

  /// A bar.
  package struct Bar: Codable, Sendable, Hashable {
    /// What stands before it.
    package var label: String
    /// Its length against the longest one.
    package var value: Double
    /// What stands behind it.
    package var text: String

    /// States a bar.
    package init(label: String, value: Double, text: String) {
      (self.label, self.value, self.text) = (label, value, text)
    }
  }

  /// What stands on top.
  package var title: String
  /// What stands under it.
  package var subtitle: String
  /// The pictures, from left to right.
  package var sides: [Side]
  /// What stands above the bars.
  package var barTitle: String
  /// The bars.
  package var bars: [Bar]
  /// What stands at the bottom.
  package var footer: String

  /// Lays out a sheet.
  package init(
    title: String, subtitle: String, sides: [Side], barTitle: String, bars: [Bar], footer: String
  ) {
    (self.title, self.subtitle, self.sides) = (title, subtitle, sides)
    (self.barTitle, self.bars, self.footer) = (barTitle, bars, footer)
  }

  /// Columns and rows of each picture at most: what is shown is shown pixel by pixel.
  private static let largest = (width: 620, height: 460)
  /// The narrowest sheet that the words fit on.
  private static let narrowest = 900
  private static let margin = 28

  /// The part in the middle of an image that is shown.
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
  /// A font in which a text is no wider than there is room, but not under 9 pixels.
  fileprivate static func fitting(_ text: String, _ size: Double, _ room: Int) -> StrokeFont {
    let wide = StrokeFont(size: size).width(text)
    return StrokeFont(size: wide > room ? max(9, size * Double(room) / Double(wide)) : size)
  }
}
