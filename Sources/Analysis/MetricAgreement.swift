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
    /// The images for which both have a BD-rate.
    package var images: Int
    /// Its BD-rate in percent over these images.
    package var rate: IntervalMean
    /// The headline metric's over the same images.
    package var headlineRate: IntervalMean
    /// The difference of both, image by image, in points of percent.
    package var difference: IntervalMean
    /// What that comes to.
    package var opinion: Opinion

    /// How many times the change of the headline metric it sees.
    package var share: Double { rate.mean / headlineRate.mean }
  }

  /// A mean over images with its 95 % interval.
  package struct IntervalMean: Sendable, Hashable {
    /// The mean.
    package var mean: Double
    /// The interval.
    package var interval: ConfidenceInterval

    /// Nil where there are too few values for an interval.
    fileprivate init?(_ values: ImageValues, _ options: AnalysisOptions) {
      let interval = Bootstrap.interval(of: values, resamples: options.resamples, seed: options.seed)
      guard let mean = values.mean, let interval else { return nil }
      (self.mean, self.interval) = (mean, interval)
    }

    fileprivate var direction: Verdict.Direction {
      Verdict.direction(from: interval.lower, to: interval.upper)
    }

    /// Whether a value lies in the interval.
    fileprivate func holds(_ value: Double) -> Bool { interval.lower <= value && value <= interval.upper }
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

/// BD-rates of one metric beside those of the headline metric, over the images that have both.
struct AgreementColumn: Sendable {
  private var rates = ImageValues()
  private var headlineRates = ImageValues()
  private var differences = ImageValues()

  /// Adds an image with its rates by the metric and by the headline metric; nil where it has none.
  mutating func add(_ rate: Double?, headline: Double?) {
    guard let rate, let headline else { return }
    rates.add(rate)
    headlineRates.add(headline)
    differences.add(rate - headline)
  }

  /// What the metric says; nil where there are too few images for intervals, or less than half of all.
  func view(_ metric: String, outOf: Int, options: AnalysisOptions) -> MetricAgreement.View? {
    guard rates.count * 2 >= outOf, let rate = MetricAgreement.IntervalMean(rates, options),
      let headline = MetricAgreement.IntervalMean(headlineRates, options),
      let difference = MetricAgreement.IntervalMean(differences, options)
    else { return nil }
    return MetricAgreement.View(
      metric: metric, images: rates.count, rate: rate, headlineRate: headline, difference: difference,
      opinion: Self.opinion(rate, headline, difference))
  }

  private static func opinion(
    _ rate: MetricAgreement.IntervalMean, _ headline: MetricAgreement.IntervalMean,
    _ difference: MetricAgreement.IntervalMean
  ) -> MetricAgreement.Opinion {
    let (direction, other) = (rate.direction, headline.direction)
    if direction == .undecided { return other == .undecided ? .agrees : .undecided }
    if other == .undecided { return .decides }
    guard direction == other else { return .contradicts }
    let isApart =
      difference.direction != .undecided && abs(difference.mean) >= MetricAgreement.leastDifference
      && !headline.holds(rate.mean) && !rate.holds(headline.mean)
    guard isApart else { return .agrees }
    return abs(rate.mean) < abs(headline.mean) ? .less : .more
  }
}
