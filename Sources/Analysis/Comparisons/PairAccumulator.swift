import Foundation
import Model

/// Image-by-image comparison of two variants, or of two runs of one variant.
struct PairAccumulator: Sendable {
  private let variant: CodecVariant
  private let reference: CodecVariant
  private let metrics: [MetricTraits]
  private let options: AnalysisOptions
  private let headline: Int?
  private let ranges: [BDRateSummary.Range]
  private var matched: [MatchedAccumulator]
  /// By metric, then by range.
  private var rates: [[RateColumn]]
  /// By metric: its BD-rates over the band against those of the headline metric.
  private var agreements: [AgreementColumn]

  init(
    _ variant: CodecVariant, against reference: CodecVariant, metrics: [MetricTraits],
    options: AnalysisOptions
  ) {
    (self.variant, self.reference, self.metrics, self.options) = (variant, reference, metrics, options)
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
    let ranges = [BDRateSummary.Range.band(options.band.lowerBound, options.band.upperBound), .overlap]
    self.ranges = ranges
    matched = options.targets.map {
      MatchedAccumulator(variant, reference, metric: options.headlineMetric, target: $0)
    }
    rates = metrics.map { _ in ranges.map { _ in RateColumn() } }
    agreements = metrics.map { _ in AgreementColumn() }
  }

  /// Adds an image; each figure comes from the first of `pairs` that has it, or else gets the first pair's problem.
  @discardableResult
  mutating func add(image: NamedImage, pixels: Int?, _ pairs: [CurvePair]) -> ImageFigures {
    var figures = ImageFigures()
    func note(_ sizes: Result<EqualScoreSizes, CurveProblem>, at target: Double) {
      figures.savings.append(
        ImageSaving(image: image, variant: variant, reference: reference, target: target, result: sizes))
    }
    guard let headline, let first = pairs.first else {
      for target in options.targets { note(.failure(.missing), at: target) }
      return figures
    }
    for (position, target) in options.targets.enumerated() {
      let score = metrics[headline].curvePosition(of: target) ?? target
      let pair = pairs.first { Self.holds($0, metric: headline, at: score) } ?? first
      note(
        matched[position].add(image: image, pixels: pixels, at: score, pair, metric: headline), at: target)
    }
    var bands: [Double?] = []
    for metric in metrics.indices {
      for (place, range) in ranges.enumerated() {
        let rate = firstRate(pairs, range, metric, headline: headline)
        rates[metric][place].add(rate, image: image)
        if range != .overlap { bands.append(try? rate.get().percent) }
        figures.rates.append(
          ImageBDRate(
            image: image, variant: variant, reference: reference, metric: metrics[metric], range: range,
            result: rate))
      }
    }
    if let own = bands[headline] {
      for (metric, rate) in bands.enumerated() { agreements[metric].add(rate, headline: own) }
    }
    return figures
  }

  private static func holds(_ pair: CurvePair, metric: Int, at score: Double) -> Bool {
    [pair.candidate, pair.reference].allSatisfy { (try? $0.curves[metric].get())?.bytes(at: score) != nil }
  }

  private func firstRate(
    _ pairs: [CurvePair], _ range: BDRateSummary.Range, _ metric: Int, headline: Int
  ) -> Result<BDRate.Figure, CurveProblem> {
    var problem = CurveProblem.missing
    for (position, pair) in pairs.enumerated() {
      do throws(CurveProblem) {
        return .success(try rate(pair.candidate, pair.reference, range, metric: metric, headline: headline))
      } catch {
        if position == 0 { problem = error }
      }
    }
    return .failure(problem)
  }

  private func rate(
    _ candidate: VariantCurves, _ reference: VariantCurves, _ range: BDRateSummary.Range, metric: Int,
    headline: Int
  ) throws(CurveProblem) -> BDRate.Figure {
    let (curve, referenceCurve) = (try candidate.curves[metric].get(), try reference.curves[metric].get())
    if range == .overlap { return try BDRate.overOverlap(curve, against: referenceCurve) }
    let band = metrics[headline].curveRange(of: options.band)
    if metric == headline { return try BDRate.over(band, curve, against: referenceCurve) }
    guard let mapped = reference.band(band, of: headline, as: metric, metrics: metrics) else {
      throw .noOverlap
    }
    return try BDRate.over(mapped.range, curve, against: referenceCurve, share: mapped.coverage)
  }

  func matchedQualities(outOf: Int) -> [MatchedQuality] {
    headline == nil ? [] : matched.map { $0.summary(outOf: outOf, options: options) }
  }

  func agreement(outOf: Int) -> MetricAgreement? {
    guard options.takesBDRates, let headline,
      let rate = rates[headline][0].column.figure(outOf: outOf, options: options),
      rate.interval != nil, rate.standsOnHalf
    else { return nil }
    let views = metrics.indices.filter { $0 != headline }.compactMap { metric in
      agreements[metric].view(metrics[metric].id, outOf: outOf, options: options)
    }
    guard !views.isEmpty else { return nil }
    return MetricAgreement(
      headline: metrics[headline].id, rate: rate, direction: Verdict.direction(rate), views: views)
  }

  func bdRates(outOf: Int) -> [BDRateSummary] {
    zip(metrics, rates).flatMap { metric, columns in
      zip(ranges, columns).map { range, column in
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
