import Foundation

/// Letters for pictures that leave the page, without a browser to set the text: strokes between the dots of our own
/// small patterns, drawn smooth at any size. Characters without a pattern show as a question mark.
struct StrokeFont: Sendable {
  /// The height of capitals, pixels.
  let size: Double
  /// Half of a stroke's width, in distances between dots.
  var weight = 0.55

  /// Dots between baseline and the top of capitals.
  private static let capitals = 7
  /// Rows of a pattern, descenders included.
  private static let rows = 9
  private static let columns = 5

  /// Pixels between two dots.
  private var step: Double { size / Double(Self.capitals - 1) }

  private struct Glyph: Sendable {
    var strokes: [(from: (x: Double, y: Double), to: (x: Double, y: Double))] = []
    var (left, right) = (0.0, 2.0)
  }

  func width(_ text: String) -> Int {
    Int(text.reduce(0.0) { $0 + advance(Self.glyph($1)) }.rounded(.up))
  }

  /// Draws a text from its left end and baseline. `mix` receives the covered part of each pixel.
  func draw(_ text: String, x: Int, baseline: Int, mix: (_ x: Int, _ y: Int, _ part: Double) -> Void) {
    var left = Double(x)
    for character in text {
      let glyph = Self.glyph(character)
      draw(glyph, left: left - glyph.left * step, top: Double(baseline) - size, mix)
      left += advance(glyph)
    }
  }

  private func advance(_ glyph: Glyph) -> Double { (glyph.right - glyph.left + 2.2) * step }

  private func draw(_ glyph: Glyph, left: Double, top: Double, _ mix: (Int, Int, Double) -> Void) {
    guard !glyph.strokes.isEmpty else { return }
    let radius = weight * step
    let xs = (left + glyph.left * step - radius - 1, left + glyph.right * step + radius + 1)
    let ys = (top - radius - 1, top + Double(Self.rows - 1) * step + radius + 1)
    for y in Int(ys.0.rounded(.down))...Int(ys.1.rounded(.up)) {
      for x in Int(xs.0.rounded(.down))...Int(xs.1.rounded(.up)) {
        let point = ((Double(x) + 0.5 - left) / step, (Double(y) + 0.5 - top) / step)
        let distance = glyph.strokes.map { Self.distance(point, $0.from, $0.to) }.min() ?? .infinity
        let part = min(max(0.5 + radius - distance * step, 0), 1)
        if part > 0 { mix(x, y, part) }
      }
    }
  }

  private static func distance(
    _ p: (Double, Double), _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
  ) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let t = length > 0 ? min(max(((p.0 - a.x) * dx + (p.1 - a.y) * dy) / length, 0), 1) : 0
    return hypot(p.0 - a.x - t * dx, p.1 - a.y - t * dy)
  }

  private static func glyph(_ character: Character) -> Glyph {
    glyphs[character] ?? glyphs["?"] ?? Glyph()
  }

  private static let glyphs: [Character: Glyph] = patterns.mapValues(glyph(of:))

  /// Joins dots that touch: side by side first, and corner to corner if nothing else joins them.
  private static func glyph(of pattern: String) -> Glyph {
    let digits = pattern.compactMap(\.hexDigitValue)
    let rows = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    func isSet(_ x: Int, _ y: Int) -> Bool {
      rows.indices.contains(y) && (0..<columns).contains(x) && rows[y] & (16 >> x) != 0
    }
    var glyph = Glyph()
    let used = (0..<columns).filter { x in rows.indices.contains { isSet(x, $0) } }
    guard let first = used.first, let last = used.last else { return glyph }
    (glyph.left, glyph.right) = (Double(first), Double(last))
    for y in rows.indices {
      for x in 0..<columns where isSet(x, y) {
        var isJoined = isSet(x - 1, y) || isSet(x, y - 1)
        func join(_ dx: Int, _ dy: Int) {
          isJoined = true
          glyph.strokes.append(((Double(x), Double(y)), (Double(x + dx), Double(y + dy))))
        }
        if isSet(x + 1, y) { join(1, 0) }
        if isSet(x, y + 1) { join(0, 1) }
        for side in [-1, 1] where isSet(x + side, y + 1) && !isSet(x + side, y) && !isSet(x, y + 1) {
          join(side, 1)
        }
        for side in [-1, 1] where isSet(x + side, y - 1) { isJoined = isJoined || !isSet(x, y - 1) }
        if !isJoined { glyph.strokes.append(((Double(x), Double(y)), (Double(x), Double(y)))) }
      }
    }
    return glyph
  }

  /// Rows from the top of capitals, two hexadecimal digits each, the leftmost of five dots in the highest bit.
  private static let patterns: [Character: String] = [
    " ": "", "0": "0E11111111110E", "1": "040C040404040E", "2": "0E11010608101F", "3": "0E11010601110E",
    "4": "02060A121F0202", "5": "1F101E0101110E", "6": "0608101E11110E", "7": "1F010204040808",
    "8": "0E11110E11110E", "9": "0E11110F01020C", "A": "040A11111F1111", "B": "1E11111E11111E",
    "C": "0E11101010110E", "D": "1E11111111111E", "E": "1F10101E10101F", "F": "1F10101E101010",
    "G": "0E11101711110E", "H": "1111111F111111", "I": "0E04040404040E", "J": "0702020202120C",
    "K": "11121418141211", "L": "1010101010101F", "M": "111B1515111111", "N": "11111915131111",
    "O": "0E11111111110E", "P": "1E11111E101010", "Q": "0E11111115120D", "R": "1E11111E141211",
    "S": "0F10100E01011E", "T": "1F040404040404", "U": "1111111111110E", "V": "11111111110A04",
    "W": "1111111515150A", "X": "11110A040A1111", "Y": "11110A04040404", "Z": "1F01020408101F",
    "a": "00000E010F110F", "b": "10101E1111111E", "c": "00000E1110110E", "d": "01010F1111110F",
    "e": "00000E111F100E", "f": "06081E08080808", "g": "00000F1111110F010E", "h": "10101E11111111",
    "i": "04000C0404040E", "j": "02000602020202120C", "k": "10101214181412", "l": "0C04040404040E",
    "m": "00001A15151515", "n": "00001E11111111", "o": "00000E1111110E", "p": "00001E1111111E1010",
    "q": "00000F1111110F0101", "r": "00001619101010", "s": "00000F100E011E", "t": "08081E08080806",
    "u": "0000111111110F", "v": "00001111110A04", "w": "0000111115150A", "x": "0000110A040A11",
    "y": "0000111111110F010E", "z": "00001F0204081F", ".": "00000000000004", ",": "0000000000000408",
    ":": "00000400000004", ";": "0000040000000408", "%": "191A0204080B13", "(": "02040808080402",
    ")": "08040202020408", "-": "0000000E000000", "–": "0000000E000000", "−": "0000001F000000",
    "+": "0004041F040400", "/": "01010204081010", "=": "00001F001F0000", "×": "0000110A040A11",
    "_": "000000000000001F", "?": "0E110106040004", "!": "04040404040004", "·": "00000004000000",
    "’": "0404", "'": "0404", "“": "0A0A", "”": "0A0A",
  ]
}
