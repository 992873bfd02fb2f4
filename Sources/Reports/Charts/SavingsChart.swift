import Analysis
import Model

/// Change in bytes against the target score, with the 95 % interval of each mean.
struct SavingsChart {
  let analysis: Analysis

  var svg: String? {
    let figures = analysis.matchedQualities.filter { $0.bytes != nil }
    let changes = figures.compactMap(\.bytes).flatMap { figure in
      [figure.mean, figure.interval?.lower, figure.interval?.upper].compactMap(\.self)
    }
    guard let metric = analysis.headline, let x = ChartScale(.linear, figures.map(\.target), margin: 0.1),
      let y = ChartScale(.linear, changes + [0], margin: 0.1)
    else { return nil }
    let unit = metric.unit.isEmpty ? "" : " (\(metric.unit))"
    let frame = ChartFrame(
      name: ChartKind.savings.rawValue,
      title: "Change in bytes against \(referenceName) at equal \(metric.title)",
      x: .init(scale: x, title: "\(metric.title)\(unit), number of images below", hidesTicks: true),
      y: .init(scale: y, title: "Change in bytes (%)", isSigned: true),
      series: variants.map { (style: analysis.style(of: $0), name: $0.title) })
    let description = figures.map(Self.spelling).joined(separator: "; ") + "."
    return frame.drawing(description: description) { canvas in
      for (position, variant) in variants.enumerated() {
        draw(
          figures.filter { $0.variant == variant }, analysis.style(of: variant), shift: shift(position),
          frame, on: &canvas)
      }
    } annotations: { canvas in
      labelTargets(figures, frame, on: &canvas)
    }
  }

  private var referenceName: String { analysis.reference?.title ?? "the reference" }

  private var variants: [CodecVariant] {
    analysis.variants.filter { variant in
      analysis.matchedQualities.contains { $0.variant == variant && $0.bytes != nil }
    }
  }

  /// Offsets the intervals of variants so that they do not overlap.
  private func shift(_ position: Int) -> Double {
    (Double(position) - Double(variants.count - 1) / 2) * 9
  }

  private func draw(
    _ figures: [MatchedQuality], _ series: SeriesStyle, shift: Double, _ frame: ChartFrame,
    on canvas: inout SVGCanvas
  ) {
    func place(_ target: Double, _ change: Double) -> SVGCanvas.Point {
      var point = frame.position(target, change)
      point.x += shift
      return point
    }
    canvas.polyline(
      figures.compactMap { figure in figure.bytes.map { place(figure.target, $0.mean) } },
      class: ChartStyle.lineClass(series))
    for figure in figures {
      guard let bytes = figure.bytes else { continue }
      if let interval = bytes.interval {
        canvas.line(
          place(figure.target, interval.lower), place(figure.target, interval.upper),
          class: "hb-bar \(series.colourClass)")
      }
      canvas.marker(series, at: place(figure.target, bytes.mean), tip: Self.spelling(of: figure))
      if variants.count == 1 {
        let label = place(figure.target, bytes.mean)
        canvas.text(
          "\(Numerals.signed(bytes.mean, decimals: 0)) %", at: .init(x: label.x + 9, y: label.y + 17),
          class: "hb-note")
      }
    }
  }

  private func labelTargets(
    _ figures: [MatchedQuality], _ frame: ChartFrame, on canvas: inout SVGCanvas
  ) {
    for target in Set(figures.map(\.target)).sorted() {
      let counts = Set(figures.filter { $0.target == target }.compactMap(\.bytes?.images)).sorted()
      let place = frame.position(target, frame.y.scale.domain.lowerBound)
      canvas.text(
        Numerals.short(target), at: .init(x: place.x, y: place.y + 14), anchor: .middle, class: "hb-text")
      canvas.text(
        counts.map(String.init).joined(separator: "/"), at: .init(x: place.x, y: place.y + 27),
        anchor: .middle, class: "hb-soft")
    }
  }

  private static func spelling(of matched: MatchedQuality) -> String {
    guard let figure = matched.bytes else { return "" }
    var text =
      "\(matched.variant.title) at \(Numerals.short(matched.target)): "
      + "\(Numerals.signed(figure.mean, decimals: 1)) % bytes"
    if let interval = figure.interval { text += ", 95 % interval \(interval.ends(decimals: 1)) %" }
    return text + ", \(figure.images) images"
  }
}
