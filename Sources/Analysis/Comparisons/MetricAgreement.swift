/// Agreement of a run's metrics on a variant: their BD-rates over the same part of the curves (the band of the headline
/// metric), image by image.
///
/// Every metric is compared with the headline metric in pairs, over the images with both BD-rates, so that the interval
/// of the mean difference excludes the variation between images. A metric with the other winner contradicts; a metric
/// without a winner is undecided. A metric with the same winner sees a different size of change if the interval of the
/// differences excludes 0, neither mean lies in the other's interval, and they differ by at least `leastDifference`.
package struct MetricAgreement: Sendable, Hashable {
  package enum Opinion: String, Sendable, Hashable {
    case agrees
    case less
    case more
    case undecided
    case contradicts
    case decides
  }

  /// The smallest difference between two sizes of change that counts, in percentage points; smaller ones do not affect
  /// the choice of a codec.
  static let leastDifference = 1.0

  package struct View: Sendable, Hashable {
    package var metric: String
    package var images: Int
    package var rate: IntervalMean
    package var headlineRate: IntervalMean
    package var difference: IntervalMean

    package var share: Double { rate.mean / headlineRate.mean }

    package var opinion: Opinion {
      let (direction, other) = (rate.direction, headlineRate.direction)
      if direction == .undecided { return other == .undecided ? .agrees : .undecided }
      if other == .undecided { return .decides }
      guard direction == other else { return .contradicts }
      let isApart =
        difference.direction != .undecided && abs(difference.mean) >= MetricAgreement.leastDifference
        && !headlineRate.holds(rate.mean) && !rate.holds(headlineRate.mean)
      guard isApart else { return .agrees }
      return abs(rate.mean) < abs(headlineRate.mean) ? .less : .more
    }
  }

  package struct IntervalMean: Sendable, Hashable {
    package var mean: Double
    package var interval: ConfidenceInterval

    fileprivate init?(_ values: ImageValues, _ options: AnalysisOptions) {
      let interval = Bootstrap.interval(
        of: values, resamples: options.resamples, seed: options.seed, population: options.population)
      guard let mean = values.mean, let interval else { return nil }
      (self.mean, self.interval) = (mean, interval)
    }

    fileprivate var direction: Verdict.Direction {
      Verdict.direction(from: interval.lower, to: interval.upper)
    }

    fileprivate func holds(_ value: Double) -> Bool { interval.lower <= value && value <= interval.upper }
  }

  package var headline: String
  package var rate: CorpusFigure
  package var direction: Verdict.Direction
  package var views: [View]

  package var metrics: Int { views.count + 1 }
  /// The number of metrics with the headline metric's winner, including the headline metric; 0 if it has no winner.
  package var sameWinner: Int {
    direction == .undecided ? 0 : views.count { [.agrees, .less, .more].contains($0.opinion) } + 1
  }
  /// The number of metrics with the same winner and size of change, including the headline metric.
  package var agreeing: Int { views.count { $0.opinion == .agrees } + 1 }
}

/// BD-rates of one metric and of the headline metric, over the images with both.
struct AgreementColumn: Sendable {
  private var rates = ImageValues()
  private var headlineRates = ImageValues()
  private var differences = ImageValues()

  mutating func add(_ rate: Double?, headline: Double?) {
    guard let rate, let headline else { return }
    rates.add(rate)
    headlineRates.add(headline)
    differences.add(rate - headline)
  }

  /// Returns nil if there are too few images for intervals, or fewer than half of all.
  func view(_ metric: String, outOf: Int, options: AnalysisOptions) -> MetricAgreement.View? {
    guard rates.count * 2 >= outOf, let rate = MetricAgreement.IntervalMean(rates, options),
      let headline = MetricAgreement.IntervalMean(headlineRates, options),
      let difference = MetricAgreement.IntervalMean(differences, options)
    else { return nil }
    return MetricAgreement.View(
      metric: metric, images: rates.count, rate: rate, headlineRate: headline, difference: difference)
  }
}
