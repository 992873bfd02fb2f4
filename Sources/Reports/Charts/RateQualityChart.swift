import Analysis
import Model

/// Score against bits per pixel: each variant's mean curve over its images' curves, with the gap at equal quality.
struct RateQualityChart {
  /// The number of images with curves of their own, the extremes and the median by saving; more would clutter the
  /// chart.
  private static let imageCurves = 3

  let analysis: Analysis

  var svg: String? {
    let curves = analysis.meanCurves.map { $0.inUse(analysis.options, analysis.headline) }
      .filter { $0.points.count > 1 }
    guard let metric = analysis.headline,
      let x = ChartScale(.logarithmic, curves.flatMap { $0.points.map(\.bitsPerPixel) }, margin: 0.12),
      let y = ChartScale(.linear, curves.flatMap { $0.points.map(\.score) }, margin: 0.06)
    else { return nil }
    let frame = ChartFrame(
      name: ChartKind.rateQuality.rawValue, title: "\(metric.title) against bits per pixel",
      x: .init(scale: x, title: "Bits per pixel (logarithmic)"),
      y: .init(
        scale: y, title: Self.axisTitle(metric),
        isReversed: metric.curveScale == .identity && !metric.higherIsBetter),
      series: curves.map { (style: analysis.style(of: $0.variant), name: $0.variant.title) })
    return frame.drawing(description: description(curves)) { canvas in
      drawImages(frame, metric, on: &canvas)
      for curve in curves { draw(curve, frame, on: &canvas) }
    } annotations: { canvas in
      drawGap(curves, frame, on: &canvas)
    }
  }

  private static func axisTitle(_ metric: MetricTraits) -> String {
    switch metric.curveScale {
    case .identity: metric.unit.isEmpty ? metric.title : "\(metric.title) (\(metric.unit))"
    case .decibelsBelowOne: "\(metric.title) as −10·log₁₀(1 − s) (dB)"
    case .decibels: "\(metric.title) as −10·log₁₀ d (dB)"
    }
  }

  private func drawImages(_ frame: ChartFrame, _ metric: MetricTraits, on canvas: inout SVGCanvas) {
    let shown = Set(analysis.shownImages(Self.imageCurves))
    for image in analysis.imageDetails where shown.contains(image.image) {
      guard let width = image.width, let height = image.height, width > 0, height > 0 else { continue }
      for variant in image.variants {
        let points = variant.points.compactMap { point -> SVGCanvas.Point? in
          guard let score = point.score.flatMap({ metric.curvePosition(of: $0) }), point.bytes > 0 else {
            return nil
          }
          return frame.position(Double(point.bytes) * 8 / (Double(width) * Double(height)), score)
        }
        let colour = analysis.style(of: variant.variant).colourClass
        canvas.polyline(points.sorted { $0.x < $1.x }, class: "hb-thin \(colour)")
      }
    }
  }

  private func draw(_ curve: MeanCurve, _ frame: ChartFrame, on canvas: inout SVGCanvas) {
    let series = analysis.style(of: curve.variant)
    canvas.polyline(
      curve.points.map { frame.position($0.bitsPerPixel, $0.score) }, class: ChartStyle.lineClass(series))
    for target in analysis.options.targets {
      guard let point = curve.point(at: target, of: analysis.headline) else { continue }
      canvas.marker(
        series, at: frame.position(point.bitsPerPixel, point.score),
        tip: "\(curve.variant.title) at \(Numerals.short(target)): "
          + "\(Numerals.fixed(point.bitsPerPixel, decimals: 3)) bits per pixel, \(images(point, of: curve))")
    }
  }

  /// The number of images behind a mean. Beyond the end of some images' curves, the mean curve continues with the
  /// slopes of the others and is no longer a mean of bits per pixel.
  private func images(_ point: MeanCurve.Point, of curve: MeanCurve) -> String {
    let most = curve.points.map(\.images).max() ?? point.images
    let images = Numerals.counted(point.images, "image")
    return point.images < most ? "continued with the slopes of \(images)" : images
  }

  /// Draws the verdict as a distance, only for a single comparison, where its meaning is clear.
  private func drawGap(_ curves: [MeanCurve], _ frame: ChartFrame, on canvas: inout SVGCanvas) {
    guard analysis.verdicts.count == 1, let verdict = analysis.verdicts.first, let target = verdict.target,
      let change = verdict.bytes?.mean,
      let from = curves.first(where: { $0.variant == verdict.reference })?.point(
        at: target, of: analysis.headline),
      let to = curves.first(where: { $0.variant == verdict.variant })?.point(
        at: target, of: analysis.headline)
    else { return }
    let start = frame.position(from.bitsPerPixel, from.score)
    let end = frame.position(to.bitsPerPixel, to.score)
    canvas.line(start, end, class: "hb-gap")
    canvas.text(
      "\(Numerals.signed(change, decimals: 0)) % bytes at \(Numerals.short(target))",
      at: .init(x: min(start.x, end.x) - 12, y: start.y + 4), anchor: .end, class: "hb-note")
  }

  private func description(_ curves: [MeanCurve]) -> String {
    let target = analysis.drawnTarget
    let figures = curves.compactMap { curve in
      curve.point(at: target, of: analysis.headline).map {
        "\(curve.variant.title) \(Numerals.fixed($0.bitsPerPixel, decimals: 2)) bits per pixel"
      }
    }
    guard !figures.isEmpty else { return "Mean curves of \(curves.count) codecs." }
    return
      "Mean curves over the images; where some end, they continue with the slopes of the others. At "
      + "\(analysis.headline?.title ?? "score") "
      + "\(Numerals.short(target)): \(figures.joined(separator: ", "))."
  }
}

extension MeanCurve {
  /// The curve over the band and half its width below; the whole curve if fewer than two points would remain.
  func inUse(_ options: AnalysisOptions, _ metric: MetricTraits?) -> MeanCurve {
    let half = (options.band.upperBound - options.band.lowerBound) / 2
    let lowest =
      metric?.higherIsBetter == false ? options.band.upperBound + half : options.band.lowerBound - half
    guard let position = metric?.curvePosition(of: lowest) else { return self }
    var curve = self
    curve.points = points.filter { $0.score >= position }
    return curve.points.count > 1 ? curve : self
  }

  /// The point nearest a score; nil if the score is more than half of the points' distance away, which is the case only
  /// beyond the curve's ends.
  func point(at target: Double, of metric: MetricTraits?) -> Point? {
    guard let position = metric?.curvePosition(of: target), points.count > 1 else { return nil }
    let half = (points[1].score - points[0].score) * 0.501
    let nearest = points.min { abs($0.score - position) < abs($1.score - position) }
    return nearest.flatMap { abs($0.score - position) <= half ? $0 : nil }
  }
}
