import Analysis
import Model
import Reports

/// Mean score against the generation, one curve for each codec and quality.
struct GenerationsChart {
  static let name = "generations"

  private let losses: [GenerationLoss]
  private let headline: MetricTraits

  init(_ losses: [GenerationLoss], headline: MetricTraits) {
    self.losses = losses.filter { $0.steps.count > 1 }
    self.headline = headline
  }

  var chart: ReportChart? {
    let title = "\(headline.title) from generation to generation"
    return ReportChart(Self.name, title: title, svg: svg(title))
  }

  private func svg(_ title: String) -> String? {
    let scores = losses.flatMap { $0.steps.compactMap { $0.scores[headline.id] } }
    guard let last = losses.map(\.steps.count).max(),
      let x = ChartScale(.linear, [1, Double(last)], margin: 0.05),
      let y = ChartScale(.linear, scores, margin: 0.06)
    else { return nil }
    let names = losses.map { loss in loss.variant.name + (loss.quality.map { " at \($0)" } ?? "") }
    let frame = ChartFrame(
      name: Self.name, title: title,
      x: .init(scale: x, title: "Generation", hidesTicks: true), y: .init(scale: y, title: headline.title),
      series: names.enumerated().map { .init(index: $0, name: $1) })
    return frame.drawing(description: description(names)) { canvas in
      for (series, loss) in losses.enumerated() { draw(loss, series, names[series], frame, on: &canvas) }
    } annotations: { canvas in
      // Only whole generations get a mark.
      for generation in 1...last {
        let place = frame.position(Double(generation), y.domain.lowerBound)
        canvas.text(
          "\(generation)", at: .init(x: place.x, y: place.y + 18), anchor: .middle, class: "hb-soft")
      }
    }
  }

  private func draw(
    _ loss: GenerationLoss, _ series: Int, _ name: String, _ frame: ChartFrame, on canvas: inout SVGCanvas
  ) {
    let points = loss.steps.compactMap { step in
      step.scores[headline.id].map { (step, frame.position(Double(step.generation), $0)) }
    }
    canvas.polyline(points.map(\.1), class: ChartStyle.lineClass(series))
    for (step, point) in points {
      let score = Numerals.plain(step.scores[headline.id] ?? 0, headline.decimals)
      canvas.marker(
        series, at: point,
        tip: "\(name), generation \(step.generation): \(headline.title) \(score), \(loss.images) images")
    }
  }

  private func description(_ names: [String]) -> String {
    let ends = zip(names, losses).compactMap { name, loss -> String? in
      guard let first = loss.steps.first?.scores[headline.id], let last = loss.steps.last?.scores[headline.id]
      else { return nil }
      return "\(name) \(Numerals.plain(first, 1)) to \(Numerals.plain(last, 1))"
    }
    return "Mean \(headline.title), first to last generation: \(ends.joined(separator: ", "))."
  }
}
