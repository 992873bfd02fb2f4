import Analysis
import Model
import Reports

/// Loss of a variant from generation to generation, over the images with complete chains.
struct GenerationLoss: Sendable {
  struct Step: Sendable {
    var generation: Int
    /// Mean score by metric identifier, over the images with a finite one.
    var scores: [String: Double]
    /// Drop of the headline metric since the first generation, in its points; 0 in the first.
    var loss: CorpusFigure?
    /// Bytes of all files against those of the first generation, percent.
    var bytesPercent: Double
    /// Images whose file equals one of an earlier generation byte for byte, so that nothing changes any more.
    var settled: Int
  }

  var variant: CodecVariant
  /// Quality of all encodes; nil if each image has its own.
  var quality: Quality?
  var images: Int
  var outOf: Int
  var steps: [Step]

  /// Summarises chains by variant and quality, in order of first appearance.
  ///
  /// - Parameters:
  ///   - headline: Metric of the reported loss.
  ///   - isSearched: True if qualities are each image's own and are not distinguished.
  static func all(
    _ records: [CaseRecord], headline: String, isSearched: Bool, options: AnalysisOptions = .init()
  ) -> [GenerationLoss] {
    struct Group: Hashable {
      var variant: CodecVariant
      var quality: Quality?
    }
    func group(_ record: CaseRecord) -> Group {
      Group(variant: record.key.variant, quality: isSearched ? nil : record.chainQuality)
    }
    let groups = Dictionary(grouping: records, by: group)
    let order = records.map(group).reduce(into: [Group]()) { if !$0.contains($1) { $0.append($1) } }
    let images = Set(records.map(\.key.image.name)).count
    return order.compactMap { group in
      GenerationLoss(
        group.variant, group.quality, groups[group] ?? [], outOf: images, headline: headline, options)
    }
  }

  private init?(
    _ variant: CodecVariant, _ quality: Quality?, _ records: [CaseRecord], outOf: Int,
    headline: String,
    _ options: AnalysisOptions
  ) {
    let chains = records.compactMap { record -> (image: String, generations: [Figures])? in
      record.chain.isEmpty ? nil : (record.key.image.name, record.chain)
    }
    guard let count = chains.map(\.generations.count).min() else { return nil }
    (self.variant, self.quality, images, self.outOf) = (variant, quality, chains.count, outOf)
    steps = (0..<count).map { place in
      let now = chains.map { $0.generations[place] }
      var losses = FigureColumn(.percent)
      for (index, chain) in chains.enumerated() {
        guard let first = chain.generations[0].scores[headline], let score = now[index].scores[headline],
          first.isFinite, score.isFinite
        else { continue }
        losses.add(first - score, image: NamedImage(name: chain.image))
      }
      let bytes = now.reduce(0.0) { $0 + Double($1.encodedBytes) }
      return Step(
        generation: place + 1,
        scores: Dictionary(grouping: now.flatMap(\.scores), by: \.key)
          .compactMapValues { $0.map(\.value).filter(\.isFinite).mean },
        loss: losses.figure(outOf: outOf, options: options),
        bytesPercent: bytes / chains.reduce(0.0) { $0 + Double($1.generations[0].encodedBytes) } * 100,
        settled: chains.count { chain in
          chain.generations[..<place].contains { $0.encodedHash == chain.generations[place].encodedHash }
        })
    }
  }
}

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
