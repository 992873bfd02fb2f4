package struct NamedFigure: Sendable, Hashable {
  package var image: String
  package var value: Double
  package var isSmall: Bool

  package init(image: String, value: Double, isSmall: Bool = false) {
    (self.image, self.value, self.isSmall) = (image, value, isSmall)
  }
}

/// Interval that covers the corpus figure with 95 % confidence, if images are drawn like these.
package struct ConfidenceInterval: Sendable, Hashable {
  package enum Method: String, Sendable, Hashable, CaseIterable {
    /// Mean ± Student's t times the standard error (Student, The probable error of a mean, 1908); of logarithms for
    /// ratios.
    case studentT = "student_t"
    /// Percentiles of resampled means (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13).
    case bootstrap
    /// Mean ± 1.96 standard errors, for corpora so large that it agrees with the bootstrap.
    case normal
  }

  package var lower: Double
  package var upper: Double
  package var method: Method

  /// Returns the interval on another scale, of which `transform` rises.
  package func mapped(_ transform: (Double) -> Double) -> ConfidenceInterval {
    ConfidenceInterval(lower: transform(lower), upper: transform(upper), method: method)
  }
}

/// A figure over a corpus: its mean with an interval, its median and its extremes.
///
/// Values are changes against the reference in percent: −27 stands for 27 % fewer bytes.
package struct CorpusFigure: Sendable, Hashable {
  package var images: Int
  /// Images of the corpus intended for both variants.
  package var outOf: Int
  /// Mean change in percent; the geometric mean for byte ratios.
  package var mean: Double
  /// 95 % interval of the mean; nil under `Bootstrap.minimumImages` images.
  package var interval: ConfidenceInterval?
  package var median: Double
  package var best: NamedFigure
  package var worst: NamedFigure

  package var begun: Int?

  /// True if it covers half of the intended images, or, with enough for an interval, half of those begun so far.
  package var standsOnHalf: Bool {
    images * 2 >= outOf || images >= Bootstrap.minimumImages && images * 2 >= begun ?? outOf
  }
}
