import Store

/// A figure of one image, by name.
package struct NamedFigure: Sendable, Hashable {
  /// The image's printable name.
  package var image: String
  /// The figure, in the unit of what it belongs to.
  package var value: Double
  /// True for an image that is smaller than the headline metric was made for: `MetricTraits.dependableSide`.
  package var isSmall: Bool?

  /// Names a figure.
  package init(image: String, value: Double, isSmall: Bool? = nil) {
    self.image = image
    self.value = value
    self.isSmall = isSmall
  }
}

/// An interval that covers the corpus figure with 95 % confidence, if images are drawn like these.
package struct ConfidenceInterval: Sendable, Hashable {
  /// How it was found.
  package enum Method: String, Sendable, Hashable, CaseIterable {
    /// Mean ± Student's t times the standard error (Student, The probable error of a mean, 1908), of
    /// logarithms where the values are ratios.
    case studentT = "student_t"
    /// Percentiles of resampled means (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13).
    case bootstrap
    /// Mean ± 1.96 standard errors, for corpora so large that both methods agree.
    case normal
  }

  /// The lower end.
  package var lower: Double
  /// The upper end.
  package var upper: Double
  /// How it was found.
  package var method: Method

  /// States an interval.
  package init(lower: Double, upper: Double, method: Method) {
    self.lower = lower
    self.upper = upper
    self.method = method
  }
}

/// A figure over a corpus: its mean with an interval, its median and its extremes.
///
/// Values are changes against the reference in percent: −27 stands for 27 % fewer bytes.
package struct CorpusFigure: Sendable, Hashable {
  /// The images that it holds for.
  package var images: Int
  /// The images of the corpus that both variants were meant for.
  package var outOf: Int
  /// The mean change in percent; of byte ratios the geometric mean.
  package var mean: Double
  /// The 95 % interval of the mean; nil under `Bootstrap.minimumImages` images.
  package var interval: ConfidenceInterval?
  /// The median change in percent.
  package var median: Double
  /// The image with the lowest value: the best one for the variant.
  package var best: NamedFigure
  /// The image with the highest value: the worst one for the variant.
  package var worst: NamedFigure

  /// The images that were begun, in a run that is not finished; nil where all were.
  package var begun: Int?

  /// Whether it stands on at least half of the images that it was meant for. What a run has not come to yet speaks
  /// against nothing, as long as there are enough for an interval.
  package var standsOnHalf: Bool {
    images * 2 >= outOf || images >= Bootstrap.minimumImages && images * 2 >= begun ?? outOf
  }

  /// States a figure.
  package init(
    images: Int, outOf: Int, mean: Double, interval: ConfidenceInterval?, median: Double, best: NamedFigure,
    worst: NamedFigure
  ) {
    self.images = images
    self.outOf = outOf
    self.mean = mean
    self.interval = interval
    self.median = median
    self.best = best
    self.worst = worst
  }
}
