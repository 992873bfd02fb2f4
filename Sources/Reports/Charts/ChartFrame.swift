struct ChartFrame {
  struct Axis {
    var scale: ChartScale
    var title: String
    var isSigned = false
    /// True if positions are values times −1, as of a metric where less is better.
    var isReversed = false
    /// True if the axis has no ticks because the data have labels of their own.
    var hidesTicks = false
  }

  typealias Series = (style: SeriesStyle, name: String)

  static let width = 720.0
  private static let left = 66.0
  private static let right = 24.0
  private static let bottom = 58.0
  private static let plotHeight = 320.0
  private static let legendLine = 20.0
  private static let characterWidth = 7.0

  private let name, title: String
  let x, y: Axis
  private let legend: [[Series]]

  init(name: String, title: String, x: Axis, y: Axis, series: [Series]) {
    (self.name, self.title, self.x, self.y) = (name, title, x, y)
    legend = Self.lines(series)
  }

  var id: String { "hb-\(name)" }

  var topLeft: SVGCanvas.Point { .init(x: Self.left, y: 40 + Double(legend.count) * Self.legendLine) }

  var bottomRight: SVGCanvas.Point {
    .init(x: Self.width - Self.right, y: topLeft.y + Self.plotHeight)
  }

  func position(_ horizontal: Double, _ vertical: Double) -> SVGCanvas.Point {
    .init(
      x: topLeft.x + x.scale.fraction(of: horizontal) * (bottomRight.x - topLeft.x),
      y: bottomRight.y - y.scale.fraction(of: vertical) * (bottomRight.y - topLeft.y))
  }

  /// Returns the drawing: the frame, the data clipped to the plot, and unclipped annotations on top.
  func drawing(
    description: String, data draw: (inout SVGCanvas) -> Void,
    annotations annotate: (inout SVGCanvas) -> Void = { _ in }
  ) -> String {
    var canvas = SVGCanvas(width: Self.width, height: bottomRight.y + Self.bottom)
    canvas.text(title, at: .init(x: 16, y: 26), class: "hb-title")
    drawLegend(on: &canvas)
    drawHorizontalAxis(on: &canvas)
    drawVerticalAxis(on: &canvas)
    // The clip extends 6 units beyond the plot so that markers on its edge stay whole.
    canvas.clipped(
      id: "\(id)-plot", from: .init(x: topLeft.x - 6, y: topLeft.y - 6),
      to: .init(x: bottomRight.x + 6, y: bottomRight.y + 6), draw)
    annotate(&canvas)
    return canvas.document(id: id, title: title, description: description)
  }

  private func drawLegend(on canvas: inout SVGCanvas) {
    for (line, series) in legend.enumerated() {
      var x = 16.0
      let y = 46 + Double(line) * Self.legendLine
      for entry in series {
        canvas.line(
          .init(x: x, y: y - 4), .init(x: x + 28, y: y - 4), class: ChartStyle.lineClass(entry.style))
        canvas.marker(entry.style, at: .init(x: x + 14, y: y - 4))
        canvas.text(entry.name, at: .init(x: x + 34, y: y))
        x += Self.width(of: entry)
      }
    }
  }

  private func drawHorizontalAxis(on canvas: inout SVGCanvas) {
    for tick in x.hidesTicks ? [] : x.scale.ticks {
      let place = position(tick, y.scale.domain.lowerBound).x
      canvas.line(.init(x: place, y: topLeft.y), .init(x: place, y: bottomRight.y), class: "hb-grid")
      canvas.text(
        Self.label(tick, x), at: .init(x: place, y: bottomRight.y + 18), anchor: .middle, class: "hb-soft")
    }
    canvas.line(.init(x: topLeft.x, y: bottomRight.y), bottomRight, class: "hb-axis")
    canvas.text(
      x.title, at: .init(x: (topLeft.x + bottomRight.x) / 2, y: bottomRight.y + 42), anchor: .middle)
  }

  private func drawVerticalAxis(on canvas: inout SVGCanvas) {
    for tick in y.scale.ticks {
      let place = position(x.scale.domain.lowerBound, tick).y
      let isZero = y.isSigned && tick == 0
      canvas.line(
        .init(x: topLeft.x, y: place), .init(x: bottomRight.x, y: place),
        class: isZero ? "hb-zero" : "hb-grid")
      canvas.text(
        Self.label(tick, y), at: .init(x: topLeft.x - 8, y: place + 4), anchor: .end, class: "hb-soft")
    }
    canvas.line(topLeft, .init(x: topLeft.x, y: bottomRight.y), class: "hb-axis")
    canvas.text(
      y.title, at: .init(x: 18, y: (topLeft.y + bottomRight.y) / 2), anchor: .middle, rotated: true)
  }

  private static func label(_ position: Double, _ axis: Axis) -> String {
    // Subtracted, because −0 would be labelled with its sign.
    let tick = axis.isReversed ? 0 - position : position
    let decimals = Numerals.short(tick).split(separator: ".").dropFirst().first?.count ?? 0
    return axis.isSigned
      ? Numerals.signed(tick, decimals: decimals) : Numerals.grouped(tick, decimals: decimals)
  }

  private static func width(of series: Series) -> Double {
    Double(series.name.displayWidth) * characterWidth + 52
  }

  private static func lines(_ series: [Series]) -> [[Series]] {
    var lines: [[Series]] = []
    var room = 0.0
    for entry in series {
      if lines.isEmpty || width(of: entry) > room {
        lines.append([])
        room = width - 32
      }
      lines[lines.count - 1].append(entry)
      room -= width(of: entry)
    }
    return lines
  }
}
