import Foundation
import Model

package struct NamedImage: Sendable {
  package var name: String
  package var isSmall = false

  package init(name: String, isSmall: Bool = false) { (self.name, self.isSmall) = (name, isSmall) }
}

/// One figure of many streaming images: the values as far as needed, and the problems of images without one. Keeps four
/// bytes per image of a very large corpus, for the median.
package struct FigureColumn: Sendable {
  /// Kind of values, which decides how their mean is taken.
  package enum Kind: Sendable {
    case logRatio
    /// Percent, points or another unit that is shown as it is.
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
  /// Values to 24 bits: enough for a median of many images, in half the memory.
  private var rounded = BlockArray<Float>()
  /// Images with the lowest and the highest value; the first of equals.
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

  package var problemCounts: [ProblemCount] {
    CurveProblem.allCases.compactMap { problem in
      problems[problem].map { ProblemCount(problem: problem, images: $0) }
    }
  }

  /// Returns the figure over the corpus; nil without values. Above `Bootstrap.maximumImages` the median uses 24 bits.
  package func figure(outOf: Int, options: AnalysisOptions) -> CorpusFigure? {
    let median = (values.few.isEmpty ? rounded.map(Double.init) : values.few).median
    guard let mean = values.mean, let median, var best, var worst else { return nil }
    (best.value, worst.value) = (kind.shown(best.value), kind.shown(worst.value))
    let interval = Bootstrap.interval(of: values, resamples: options.resamples, seed: options.seed)
    return CorpusFigure(
      images: count, outOf: outOf, mean: kind.shown(mean),
      interval: interval?.mapped(kind.shown),
      median: kind.shown(median), best: best, worst: worst)
  }
}
