/// How the metrics of a run agree on a variant: their BD-rates over the same part of the curves, the band of the
/// headline metric, image by image.
///
/// Every metric is compared with the headline metric over the images for which both have a BD-rate, in pairs: the
/// interval of the mean of the images' differences takes no notice of how unlike the images are, of which both have
/// the same. A metric that decides otherwise contradicts; one that cannot decide is undecided; one that decides
/// likewise sees another size of the change where the interval of the differences leaves out 0, neither mean lies in the
/// other's interval, and they are at least `leastDifference` apart.
package struct MetricAgreement: Sendable, Hashable {
  /// What a metric says beside the headline metric.
  package enum Opinion: String, Sendable, Hashable {
    /// The same winner, and no other size of the change that the intervals would tell apart.
    case agrees
    /// The same winner, by less.
    case less
    /// The same winner, by more.
    case more
    /// Its interval holds both winners.
    case undecided
    /// The other winner.
    case contradicts
    /// It decides where the headline metric does not.
    case decides
  }

  /// Points of percent that two metrics are apart at least where they are said to see another size: below that the
  /// choice of a codec does not turn on it.
  package static let leastDifference = 1.0

  /// What one metric says.
  package struct View: Sendable, Hashable {
    /// The metric's identifier.
    package var metric: String
    /// Its BD-rate in percent over the common images.
    package var rate: CorpusFigure
    /// The headline metric's over the same images.
    package var headlineRate: CorpusFigure
    /// The difference of both, image by image, in points of percent.
    package var difference: CorpusFigure
    /// What that comes to.
    package var opinion: Opinion

    /// How many times the change of the headline metric it sees.
    package var share: Double { rate.mean / headlineRate.mean }
  }

  /// The metric that decides.
  package var headline: String
  /// Its BD-rate over the band, percent.
  package var rate: CorpusFigure
  /// What it says.
  package var direction: Verdict.Direction
  /// What the others say, in the order of the run.
  package var views: [View]

  /// How many metrics were heard, the headline metric included.
  package var metrics: Int { views.count + 1 }
  /// How many see the same winner, the headline metric included, whatever the size of the change; none where it sees
  /// no winner.
  package var sameWinner: Int {
    direction == .undecided ? 0 : views.count { [.agrees, .less, .more].contains($0.opinion) } + 1
  }
  /// How many agree on winner and size, the headline metric included.
  package var agreeing: Int { views.count { $0.opinion == .agrees } + 1 }
}

/// Which images have BD-rates of one metric and of the headline metric. The rates themselves are in the columns of the
/// metrics.
struct AgreementColumn: Sendable {
  /// For each image whether it has a rate by this metric.
  private var hasRate = BlockArray<Bool>()
  private var rateEnds = FigureEnds()
  private var headlineEnds = FigureEnds()
  private var differenceEnds = FigureEnds()

  /// Adds an image with its rates by the metric and by the headline metric; nil where it has none.
  mutating func add(_ rate: Double?, headline: Double?, image: NamedImage) {
    hasRate.append(rate != nil)
    guard let rate, let headline else { return }
    rateEnds.add(rate, image: image)
    headlineEnds.add(headline, image: image)
    differenceEnds.add(rate - headline, image: image)
  }

  /// What the metric says of so many images; nil where there are too few for intervals.
  /// - Parameters:
  ///   - rates: the metric's.
  ///   - headlineRates: those of the headline metric.
  ///   - headlineColumn: which images these are of.
  func view(
    _ metric: String, _ rates: FigureColumn, beside headlineRates: FigureColumn,
    of headlineColumn: AgreementColumn, outOf: Int, options: AnalysisOptions
  ) -> MetricAgreement.View? {
    let pairs = pairs(rates, headlineRates, headlineColumn)
    func figure(_ values: [Double], _ ends: FigureEnds) -> CorpusFigure? {
      CorpusFigure(values, .percent, ends, outOf: outOf, options: options)
    }
    guard let rate = figure(pairs.map(\.rate), rateEnds),
      let headline = figure(pairs.map(\.headline), headlineEnds),
      let difference = figure(pairs.map { $0.rate - $0.headline }, differenceEnds),
      rate.interval != nil, headline.interval != nil, difference.interval != nil, rate.standsOnHalf
    else { return nil }
    return MetricAgreement.View(
      metric: metric, rate: rate, headlineRate: headline, difference: difference,
      opinion: Self.opinion(rate, headline, difference))
  }

  /// The rates of the images that have both.
  private func pairs(
    _ rates: FigureColumn, _ headlineRates: FigureColumn, _ headlineColumn: AgreementColumn
  ) -> [(rate: Double, headline: Double)] {
    var (rates, headlineRates) = (rates.all.makeIterator(), headlineRates.all.makeIterator())
    var pairs: [(rate: Double, headline: Double)] = []
    for (hasRate, hasHeadline) in zip(hasRate.elements, headlineColumn.hasRate.elements) {
      let rate = hasRate ? rates.next() : nil
      let headline = hasHeadline ? headlineRates.next() : nil
      if let rate, let headline { pairs.append((rate, headline)) }
    }
    return pairs
  }

  static func opinion(
    _ rate: CorpusFigure, _ headline: CorpusFigure, _ difference: CorpusFigure
  ) -> MetricAgreement.Opinion {
    let (direction, other) = (Verdict.direction(rate), Verdict.direction(headline))
    if direction == .undecided { return other == .undecided ? .agrees : .undecided }
    if other == .undecided { return .decides }
    guard direction == other else { return .contradicts }
    let isApart =
      Verdict.direction(difference) != .undecided && abs(difference.mean) >= MetricAgreement.leastDifference
      && !headline.holds(rate.mean) && !rate.holds(headline.mean)
    guard isApart else { return .agrees }
    return abs(rate.mean) < abs(headline.mean) ? .less : .more
  }
}

extension CorpusFigure {
  /// Whether a value lies in the interval.
  fileprivate func holds(_ value: Double) -> Bool {
    interval.map { $0.lower <= value && value <= $0.upper } ?? true
  }
}
