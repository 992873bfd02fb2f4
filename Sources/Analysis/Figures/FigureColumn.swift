import Foundation
import Model

package struct NamedImage: Sendable {
  package var name: String
  package var isSmall = false

  package init(name: String, isSmall: Bool = false) { (self.name, self.isSmall) = (name, isSmall) }
}

/// One figure of many streamed images: the values that are needed, and the problems of images without a value. Keeps
/// four bytes per image of a very large corpus, for the median.
package struct FigureColumn: Sendable {
  package enum Kind: Sendable {
    case logRatio
    /// Percent, points or another unit that is shown unchanged.
    case plain

    package func shown(_ value: Double) -> Double {
      switch self {
      case .logRatio: (exp(value) - 1) * 100
      case .plain: value
      }
    }
  }

  package let kind: Kind
  private var values = ImageValues()
  /// Values rounded to 24 bits: enough for a median of many images, in half the memory.
  private var rounded = BlockArray<Float>()
  /// Images with the lowest and the highest value; the first one if several are equal.
  private var best, worst: NamedFigure?
  private var problems: [CurveProblem: Int] = [:]

  package init(_ kind: Kind) { self.kind = kind }

  package var count: Int { values.count }

  package mutating func add(_ value: Double, image: NamedImage) {
    values.add(value)
    rounded.append(Float(value))
    let figure = NamedFigure(image: image.name, value: value, isSmall: image.isSmall)
    if best.map({ value < $0.value }) ?? true { best = figure }
    if worst.map({ value > $0.value }) ?? true { worst = figure }
  }

  /// Counts an image's problem, whether or not it has a value.
  package mutating func note(_ problem: CurveProblem) { problems[problem, default: 0] += 1 }

  var problemCounts: [ProblemCount] {
    CurveProblem.allCases.compactMap { problem in
      problems[problem].map { ProblemCount(problem: problem, images: $0) }
    }
  }

  /// Returns the figure over the corpus; nil without values. Above `Bootstrap.maximumImages` the median uses 24 bits.
  package func figure(outOf: Int, options: AnalysisOptions) -> CorpusFigure? {
    let median = (values.few.isEmpty ? rounded.map(Double.init) : values.few).median
    guard let mean = values.mean, let median, var best, var worst else { return nil }
    // Equal files leave nothing uncertain.
    let isNothing = best.value == 0 && worst.value == 0
    (best.value, worst.value) = (kind.shown(best.value), kind.shown(worst.value))
    let interval =
      isNothing
      ? nil
      : Bootstrap.interval(
        of: values, resamples: options.resamples, seed: options.seed, population: options.population)
    return CorpusFigure(
      images: count, outOf: outOf, mean: kind.shown(mean),
      interval: interval?.mapped(kind.shown),
      median: kind.shown(median), best: best, worst: worst)
  }
}

package struct NamedFigure: Sendable, Hashable {
  package var image: String
  package var value: Double
  package var isSmall: Bool

  package init(image: String, value: Double, isSmall: Bool = false) {
    (self.image, self.value, self.isSmall) = (image, value, isSmall)
  }
}

/// The interval that covers the corpus figure with 95 % confidence, if images are drawn like these.
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

  /// Returns the interval on another scale; `transform` must be increasing.
  package func mapped(_ transform: (Double) -> Double) -> ConfidenceInterval {
    ConfidenceInterval(lower: transform(lower), upper: transform(upper), method: method)
  }
}

/// A figure over a corpus: its mean with an interval, its median and its extremes.
///
/// Values are changes against the reference in percent: −27 means 27 % fewer bytes.
package struct CorpusFigure: Sendable, Hashable {
  package var images: Int
  /// The number of images in the corpus intended for both variants.
  package var outOf: Int
  /// Mean change in percent; the geometric mean for byte ratios.
  package var mean: Double
  /// 95 % interval of the mean; nil under `Bootstrap.minimumImages` images.
  package var interval: ConfidenceInterval?
  package var median: Double
  package var best: NamedFigure
  package var worst: NamedFigure

  package var begun: Int?

  /// The images with the lowest and the highest value; nil if no image differs.
  package var extremes: (best: NamedFigure, worst: NamedFigure)? {
    best.value == 0 && worst.value == 0 ? nil : (best, worst)
  }

  /// True if the figure covers half of the intended images, or, with enough images for an interval, half of those begun
  /// so far.
  package var standsOnHalf: Bool {
    images * 2 >= outOf || images >= Bootstrap.minimumImages && images * 2 >= begun ?? outOf
  }
}
