import Analysis
import Model

/// Bits per pixel against encode CPU time: lower left is better. A line joins the variants that no other beats.
struct ParetoChart {
  let analysis: Analysis

  private struct Mark {
    let series: SeriesStyle
    let name: String
    let time: Double
    let rate: Double
    let isOnFront: Bool

    var spelling: String {
      "\(name): \(Numerals.fixed(rate, decimals: 3)) bits per pixel, "
        + "\(Numerals.grouped(time, decimals: 1)) ms per megapixel\(isOnFront ? "" : ", beaten in both")"
    }
  }

  var svg: String? {
    let target = analysis.drawnTarget
    guard let metric = analysis.headline,
      let front = analysis.paretoFronts.min(by: { abs($0.target - target) < abs($1.target - target) })
    else { return nil }
    let marks = marks(of: front)
    guard marks.count > 1, let x = ChartScale(.logarithmic, marks.map(\.time), margin: 0.15),
      let y = ChartScale(.linear, marks.map(\.rate) + [0], margin: 0.08)
    else { return nil }
    let frame = ChartFrame(
      name: ChartKind.pareto.rawValue,
      title: "Bytes against encode time at \(metric.title) \(Numerals.short(front.target))",
      x: .init(scale: x, title: "Encode CPU time (ms per megapixel, logarithmic)"),
      y: .init(scale: y, title: "Bits per pixel at equal quality"),
      series: marks.map { (style: $0.series, name: $0.name) })
    return frame.drawing(description: marks.map(\.spelling).joined(separator: "; ") + ".") { canvas in
      drawFront(marks, frame, on: &canvas)
      for mark in marks {
        canvas.marker(
          mark.series, at: frame.position(mark.time, mark.rate), radius: 6, tip: mark.spelling)
      }
    }
  }

  private func marks(of front: ParetoFront) -> [Mark] {
    front.entries.compactMap { entry in
      entry.millisecondsPerMegapixel[.encode].map { time in
        Mark(
          series: analysis.style(of: entry.variant), name: entry.variant.title, time: time,
          rate: entry.bitsPerPixel, isOnFront: entry.dominatedBy == nil)
      }
    }
  }

  /// Draws steps rather than slopes because no setting lies between two variants.
  private func drawFront(_ marks: [Mark], _ frame: ChartFrame, on canvas: inout SVGCanvas) {
    var points: [SVGCanvas.Point] = []
    for mark in marks.filter(\.isOnFront).sorted(by: { $0.time < $1.time }) {
      let point = frame.position(mark.time, mark.rate)
      if let last = points.last { points.append(.init(x: point.x, y: last.y)) }
      points.append(point)
    }
    canvas.polyline(points, class: "hb-line hb-front")
  }
}
