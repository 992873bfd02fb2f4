import Store

/// A drawing of a fixed size, built element by element in user units of one pixel.
///
/// No position depends on measured text and no script runs. Colours come from classes (see `ChartStyle`), so a drawing
/// follows light and dark mode wherever it is shown.
package struct SVGCanvas {
  package struct Point: Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  package enum Anchor: String {
    case start, middle, end
  }

  private let width, height: Double
  private var buffer = TextBuffer()

  package init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// The document; `id` keeps the identifiers of its title and description distinct from those of other drawings on a
  /// page.
  package func document(id: String, title: String, description: String) -> String {
    let (width, height) = (Numerals.short(width), Numerals.short(height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="hb-chart" viewBox="0 0 \(width) \(height)" role="img" \
      aria-labelledby="\(id)-title \(id)-desc" width="\(width)" height="\(height)">
      <title id="\(id)-title">\(Self.escaped(title))</title>
      <desc id="\(id)-desc">\(Self.escaped(description))</desc>
      \(ChartStyle.element)<rect class="hb-paper" width="100%" height="100%"/>
      \(buffer.text)</svg>

      """
  }

  package mutating func line(_ from: Point, _ to: Point, class name: String) {
    buffer.write("<line class=\"\(name)\" \(Self.place(from, "1")) \(Self.place(to, "2"))/>\n")
  }

  package mutating func polyline(_ points: [Point], class name: String) {
    guard points.count > 1 else { return }
    let coordinates = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    buffer.write("<polyline class=\"\(name)\" points=\"\(coordinates)\"/>\n")
  }

  package mutating func text(
    _ text: String, at point: Point, anchor: Anchor = .start, class name: String = "hb-text",
    rotated: Bool = false
  ) {
    let turn = rotated ? " transform=\"rotate(-90 \(Self.number(point.x)) \(Self.number(point.y)))\"" : ""
    buffer.write("<text class=\"\(name)\" \(Self.place(point)) text-anchor=\"\(anchor.rawValue)\"\(turn)>")
    buffer.write(Self.escaped(text) + "</text>\n")
  }

  package mutating func marker(_ series: SeriesStyle, at point: Point, radius: Double = 4, tip: String? = nil)
  {
    let content = tip.map { "><title>\(Self.escaped($0))</title></path>\n" } ?? "/>\n"
    let hollow = series.turn > 0 ? " hb-hollow" : ""
    buffer.write("<path class=\"hb-mark \(series.colourClass)\(hollow)\" ")
    buffer.write("d=\"\(Self.outline(series.colour + series.turn, at: point, radius: radius))\"" + content)
  }

  package mutating func bar(at corner: Point, width: Double, height: Double, class name: String) {
    buffer.write("<rect class=\"\(name)\" \(Self.place(corner)) \(Self.size(max(width, 0), height))/>\n")
  }

  package mutating func clipped(
    id: String, from corner: Point, to opposite: Point, _ draw: (inout SVGCanvas) -> Void
  ) {
    let size = Self.size(opposite.x - corner.x, opposite.y - corner.y)
    buffer.write("<clipPath id=\"\(id)\"><rect \(Self.place(corner)) \(size)/></clipPath>\n")
    buffer.write("<g clip-path=\"url(#\(id))\">\n")
    draw(&self)
    buffer.write("</g>\n")
  }

  /// Escapes text for XML 1.0. Characters that XML cannot hold become U+FFFD.
  package static func escaped(_ text: String) -> String {
    HTMLText.replaced(in: text) { scalar in
      switch scalar {
      case "'": "'"
      case "\n", "\t", "\r": " "
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: HTMLText.entity(scalar)
      }
    }
  }

  private static func place(_ point: Point, _ suffix: String = "") -> String {
    "x\(suffix)=\"\(number(point.x))\" y\(suffix)=\"\(number(point.y))\""
  }

  private static func size(_ width: Double, _ height: Double) -> String {
    "width=\"\(number(width))\" height=\"\(number(height))\""
  }

  private static func number(_ value: Double) -> String {
    Numerals.short((value * 10).rounded() / 10)
  }

  private static func outline(_ series: Int, at point: Point, radius r: Double) -> String {
    func corners(_ offsets: [(Double, Double)]) -> String {
      "M" + offsets.map { "\(number(point.x + $0 * r)) \(number(point.y + $1 * r))" }.joined(separator: "L")
        + "Z"
    }
    switch series % 5 {
    case 0:
      let (left, y, size) = (number(point.x - r), number(point.y), number(r))
      let half = "a\(size) \(size) 0 1 0"
      return "M\(left) \(y)\(half) \(number(2 * r)) 0\(half) \(number(-2 * r)) 0Z"
    case 1: return corners([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
    case 2: return corners([(0, -1.2), (1.1, 0.8), (-1.1, 0.8)])
    case 3: return corners([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)])
    default: return corners([(0, 1.2), (1.1, -0.8), (-1.1, -0.8)])
    }
  }
}
