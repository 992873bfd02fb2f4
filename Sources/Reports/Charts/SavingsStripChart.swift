import Analysis
import Model

/// Change in bytes at the verdict's target: one column per image, from the first variant's best to its worst.
struct SavingsStripChart {
  let analysis: Analysis

  private struct Strip {
    let series: SeriesStyle
    let variant: CodecVariant
    /// Sorted from the best image to the worst, each with its index in the analysis.
    let changes: [(image: Int, figure: NamedFigure)]
  }

  var svg: String? {
    let target = analysis.drawnTarget
    guard let metric = analysis.headline, let place = analysis.options.targets.firstIndex(of: target) else {
      return nil
    }
    let strips = strips(at: place).filter { $0.changes.count > 1 }
    let order = order(strips)
    let longest = order.count
    let values = strips.flatMap { $0.changes.map(\.figure.value) }
    guard let x = ChartScale(.linear, [0, Double(longest - 1)]),
      let y = ChartScale(.linear, values + [0], margin: 0.14), longest > 1
    else { return nil }
    let frame = ChartFrame(
      name: ChartKind.savingsStrip.rawValue,
      title: "Change in bytes of each image at \(metric.title) \(Numerals.short(target))",
      x: .init(scale: x, title: axisTitle(longest, strips), hidesTicks: true),
      y: .init(scale: y, title: "Change in bytes (%)", isSigned: true),
      series: strips.map { (style: $0.series, name: $0.variant.title) })
    return frame.drawing(description: description(strips)) { canvas in
      for strip in strips { draw(strip, order, frame, hasStems: strips.count == 1, on: &canvas) }
    } annotations: { canvas in
      if let strip = strips.first { nameExtremes(of: strip, frame, on: &canvas) }
    }
  }

  /// The column of each image, shared by all variants: ordered by the first variant's change, then the images without
  /// one.
  private func order(_ strips: [Strip]) -> [Int: Int] {
    var order: [Int: Int] = [:]
    for change in strips.flatMap(\.changes) where order[change.image] == nil {
      order[change.image] = order.count
    }
    return order
  }

  /// Counts the images left out, because the analysis keeps only the first images of a large corpus.
  private func axisTitle(_ count: Int, _ strips: [Strip]) -> String {
    let usable = analysis.usableImages
    let images = Numerals.grouped(count)
    let name = strips.count > 1 ? strips.first.map { " with \($0.variant.title)" } ?? "" : ""
    return analysis.imageDetails.count < usable
      ? "The first \(images) of \(Numerals.grouped(usable)) images, best to worst\(name)"
      : "\(images) images, best to worst\(name)"
  }

  private func strips(at place: Int) -> [Strip] {
    analysis.variants.dropFirst().map { variant in
      let changes = analysis.imageDetails.enumerated().compactMap { index, image -> (Int, NamedFigure)? in
        guard let own = image.variants.first(where: { $0.variant == variant }),
          own.changeAtTargets.indices.contains(place), let change = own.changeAtTargets[place],
          change.isFinite
        else { return nil }
        let name = image.image + (image.isSmall ? " (small)" : "")
        return (index, NamedFigure(image: name, value: change, isSmall: image.isSmall))
      }
      return Strip(
        series: analysis.style(of: variant), variant: variant,
        changes: changes.sorted { ($0.1.value, $0.0) < ($1.1.value, $1.0) })
    }
  }

  private func draw(
    _ strip: Strip, _ order: [Int: Int], _ frame: ChartFrame, hasStems: Bool, on canvas: inout SVGCanvas
  ) {
    let colour = strip.series.colourClass
    for change in strip.changes {
      let column = Double(order[change.image] ?? 0)
      let place = frame.position(column, change.figure.value)
      if hasStems {
        canvas.line(frame.position(column, 0), place, class: "hb-bar \(colour)")
      }
      canvas.marker(
        strip.series, at: place, radius: strip.changes.count > 100 ? 2 : 4,
        tip: "\(change.figure.image): \(Numerals.signed(change.figure.value, decimals: 1)) %")
    }
  }

  private func nameExtremes(of strip: Strip, _ frame: ChartFrame, on canvas: inout SVGCanvas) {
    guard let best = strip.changes.first?.figure, let worst = strip.changes.last?.figure else { return }
    // The labels are outside the stems, which run from the values to zero.
    let low = frame.position(0, min(best.value, 0))
    canvas.text(Self.label(best), at: .init(x: low.x, y: low.y + 20), class: "hb-note")
    let high = frame.position(Double(strip.changes.count - 1), max(worst.value, 0))
    canvas.text(
      Self.label(worst), at: .init(x: high.x, y: high.y - 12), anchor: .end, class: "hb-note")
  }

  /// Keeps the end of a long name, because names differ there.
  private static func label(_ figure: NamedFigure) -> String {
    let name = figure.image.count > 40 ? "…" + figure.image.suffix(39) : figure.image
    return "\(name) \(Numerals.signed(figure.value, decimals: 0)) %"
  }

  private func description(_ strips: [Strip]) -> String {
    strips.compactMap { strip in
      guard let best = strip.changes.first?.figure, let worst = strip.changes.last?.figure else { return nil }
      let ends = [best, worst].map { "\($0.image) \(Numerals.signed($0.value, decimals: 1)) %" }
      return "\(strip.variant.title): best \(ends[0]), worst \(ends[1]), \(strip.changes.count) images"
    }.joined(separator: "; ") + "."
  }
}
