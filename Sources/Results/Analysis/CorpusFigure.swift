/// A figure of one image, by name.
public struct NamedFigure: Sendable, Hashable, Codable {
  /// The image's printable name.
  public var image: String
  /// The figure, in the unit of what it belongs to.
  public var value: Double

  /// Names a figure.
  public init(image: String, value: Double) {
    self.image = image
    self.value = value
  }
}

/// An interval that covers the corpus figure with 95 % confidence, if images are drawn like these.
public struct ConfidenceInterval: Sendable, Hashable, Codable {
  /// How it was found.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Mean ± Student's t times the standard error (Student, The probable error of a mean, 1908), of
    /// logarithms where the values are ratios.
    case studentT = "student_t"
    /// Percentiles of resampled means (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13).
    case bootstrap
    /// Mean ± 1.96 standard errors, for corpora so large that both methods agree.
    case normal

    /// The method as a phrase.
    public var title: String {
      switch self {
      case .studentT: "Student’s t on the logarithms of the ratios"
      case .bootstrap: "percentile bootstrap over the images"
      case .normal: "normal approximation"
      }
    }
  }

  /// The lower end.
  public var lower: Double
  /// The upper end.
  public var upper: Double
  /// How it was found.
  public var method: Method

  /// States an interval.
  public init(lower: Double, upper: Double, method: Method) {
    self.lower = lower
    self.upper = upper
    self.method = method
  }
}

/// A figure over a corpus: its mean with an interval, its median and its extremes.
///
/// Values are changes against the reference in percent: −27 stands for 27 % fewer bytes.
public struct CorpusFigure: Sendable, Hashable, Codable {
  /// The images that it holds for.
  public var images: Int
  /// The images of the corpus that both variants were meant for.
  public var outOf: Int
  /// The mean change in percent; of byte ratios the geometric mean.
  public var mean: Double
  /// The 95 % interval of the mean; nil under `Bootstrap.minimumImages` images.
  public var interval: ConfidenceInterval?
  /// The median change in percent.
  public var median: Double
  /// The image with the lowest value: the best one for the variant.
  public var best: NamedFigure
  /// The image with the highest value: the worst one for the variant.
  public var worst: NamedFigure

  /// Whether it stands on at least half of the images that it was meant for.
  public var standsOnHalf: Bool { images * 2 >= outOf }

  /// States a figure.
  public init(
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
