import Foundation
import Model

/// Image-by-image comparison of two variants, or of two runs of one variant.
struct PairAccumulator: Sendable {
  private let metrics: [MetricTraits]
  private let options: AnalysisOptions
  private let headline: Int?
  private var matched: [MatchedAccumulator]
  private var rates: [(band: RateColumn, overlap: RateColumn)]
  /// By metric: its BD-rates over the band against those of the headline metric.
  private var agreements: [AgreementColumn]
  /// By target: log byte ratios of the images with a BD-rate over the band.
  private var rated: [Mean]

  struct Pair: Sendable {
    var candidate: VariantCurves
    var reference: VariantCurves
  }

  struct Figures: Sendable {
    var sizes: [Result<EqualScoreSizes, CurveProblem>] = []
    var rates: [(band: Result<BDRate.Figure, CurveProblem>, overlap: Result<BDRate.Figure, CurveProblem>)] =
      []
    var headline: Int?

    var bdRateBand: Double? { headline.flatMap { try? rates[$0].band.get().percent } }
  }

  init(metrics: [MetricTraits], options: AnalysisOptions) {
    self.metrics = metrics
    self.options = options
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
    matched = options.targets.map { _ in MatchedAccumulator() }
    rates = metrics.map { _ in (RateColumn(), RateColumn()) }
    agreements = metrics.map { _ in AgreementColumn() }
    rated = options.targets.map { _ in Mean() }
  }

  /// Adds an image; each figure comes from the first of `pairs` that has it, or takes the first pair's problem.
  @discardableResult
  mutating func add(image: NamedImage, pixels: Int?, _ pairs: [Pair]) -> Figures {
    var figures = Figures()
    guard let headline, let first = pairs.first else {
      figures.sizes = options.targets.map { _ in .failure(.missing) }
      return figures
    }
    figures.headline = headline
    for (position, target) in options.targets.enumerated() {
      let score = metrics[headline].curvePosition(of: target) ?? target
      let pair = pairs.first { Self.holds($0, metric: headline, at: score) } ?? first
      figures.sizes.append(
        matched[position].add(image: image, pixels: pixels, at: score, pair, metric: headline))
    }
    for metric in metrics.indices {
      let band = Self.firstSuccess(pairs) { pair throws(CurveProblem) in
        try bandRate(pair.candidate, pair.reference, metric: metric, headline: headline)
      }
      let overlap = Self.firstSuccess(pairs) { pair throws(CurveProblem) in
        try BDRate.overOverlap(
          pair.candidate.curves[metric].get(), against: pair.reference.curves[metric].get())
      }
      rates[metric].band.add(band, image: image)
      rates[metric].overlap.add(overlap, image: image)
      figures.rates.append((band, overlap))
    }
    if figures.bdRateBand != nil {
      for (position, sizes) in figures.sizes.enumerated() {
        if let sizes = try? sizes.get() { rated[position].add(log(sizes.bytes / sizes.referenceBytes)) }
      }
    }
    for (metric, pair) in figures.rates.enumerated() {
      agreements[metric].add(try? pair.band.get().percent, headline: figures.bdRateBand)
    }
    return figures
  }

  /// Returns the geometric mean change in bytes at a target, percent, over the images with a BD-rate over the band.
  func changeOfRated(at target: Double) -> Double? {
    options.targets.firstIndex(of: target).flatMap { rated[$0].value }.map { (exp($0) - 1) * 100 }
  }

  private static func holds(_ pair: Pair, metric: Int, at score: Double) -> Bool {
    [pair.candidate, pair.reference].allSatisfy { (try? $0.curves[metric].get())?.bytes(at: score) != nil }
  }

  private static func firstSuccess(
    _ pairs: [Pair], _ figure: (Pair) throws(CurveProblem) -> BDRate.Figure
  ) -> Result<BDRate.Figure, CurveProblem> {
    var problem = CurveProblem.missing
    for (position, pair) in pairs.enumerated() {
      do throws(CurveProblem) {
        return .success(try figure(pair))
      } catch {
        if position == 0 { problem = error }
      }
    }
    return .failure(problem)
  }

  private func bandRate(
    _ candidate: VariantCurves, _ reference: VariantCurves, metric: Int, headline: Int
  ) throws(CurveProblem) -> BDRate.Figure {
    let (curve, referenceCurve) = (try candidate.curves[metric].get(), try reference.curves[metric].get())
    let band = metrics[headline].curveRange(of: options.band)
    if metric == headline { return try BDRate.over(band, curve, against: referenceCurve) }
    guard let mapped = reference.band(band, of: headline, as: metric, metrics: metrics) else {
      throw .noOverlap
    }
    return try BDRate.over(mapped.range, curve, against: referenceCurve, share: mapped.coverage)
  }

  func matchedQualities(
    _ variant: CodecVariant, _ reference: CodecVariant, outOf: Int
  ) -> [MatchedQuality] {
    guard headline != nil else { return [] }
    return zip(options.targets, matched).map { target, column in
      column.summary(variant, reference, target: target, outOf: outOf, options: options)
    }
  }

  func agreement(outOf: Int) -> MetricAgreement? {
    guard options.takesBDRates, let headline,
      let rate = rates[headline].band.column.figure(outOf: outOf, options: options),
      rate.interval != nil, rate.standsOnHalf
    else { return nil }
    let views = metrics.indices.filter { $0 != headline }.compactMap { metric in
      agreements[metric].view(metrics[metric].id, outOf: outOf, options: options)
    }
    guard !views.isEmpty else { return nil }
    return MetricAgreement(
      headline: metrics[headline].id, rate: rate, direction: Verdict.direction(rate), views: views)
  }

  func bdRates(
    _ variant: CodecVariant, _ reference: CodecVariant, outOf: Int
  ) -> [BDRateSummary] {
    zip(metrics, rates).flatMap { metric, pair in
      [
        (BDRateSummary.Range.band(options.band.lowerBound, options.band.upperBound), pair.band),
        (.overlap, pair.overlap),
      ].map { range, column in
        BDRateSummary(
          variant: variant, reference: reference, metric: metric.id, range: range,
          percent: column.column.figure(outOf: outOf, options: options),
          coverage: column.coverage.value, problems: column.column.problemCounts)
      }
    }
  }
}

struct RateColumn: Sendable {
  var column = FigureColumn(.plain)
  private(set) var coverage = Mean()

  mutating func add(_ result: Result<BDRate.Figure, CurveProblem>, image: NamedImage) {
    switch result {
    case .success(let figure):
      column.add(figure.percent, image: image)
      coverage.add(figure.coverage)
      if figure.hasLowOverlap { column.note(.lowOverlap) }
    case .failure(let problem): column.note(problem)
    }
  }
}
