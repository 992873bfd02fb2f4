import Foundation
import Model

package struct NamedImage: Sendable {
  package var name: String
  /// True if the image is smaller than the headline metric was made for: `MetricTraits.dependableSide`.
  package var isSmall = false

  package init(name: String, isSmall: Bool = false) { (self.name, self.isSmall) = (name, isSmall) }
}

/// Images with the lowest and the highest value; the first of equals.
struct FigureEnds: Sendable {
  private typealias End = (value: Double, image: NamedImage)
  private var ends: (lowest: End, highest: End)?

  mutating func add(_ value: Double, image: NamedImage) {
    guard let (lowest, highest) = ends else {
      ends = ((value, image), (value, image))
      return
    }
    if value < lowest.value { ends?.lowest = (value, image) }
    if value > highest.value { ends?.highest = (value, image) }
  }

  /// Returns the ends as changes in percent; nil without values.
  func named(_ kind: FigureColumn.Kind) -> (best: NamedFigure, worst: NamedFigure)? {
    ends.map { (Self.named($0.lowest, kind), Self.named($0.highest, kind)) }
  }

  private static func named(_ end: End, _ kind: FigureColumn.Kind) -> NamedFigure {
    NamedFigure(
      image: end.image.name, value: kind.percent(end.value), isSmall: end.image.isSmall ? true : nil)
  }
}

/// One figure of many streaming images: the values as far as needed, and the problems of images without one. Keeps four
/// bytes per image of a very large corpus, for the median.
package struct FigureColumn: Sendable {
  /// Kind of values, which decides how their mean is taken.
  package enum Kind: Sendable {
    case logRatio
    case percent

    package func percent(_ value: Double) -> Double {
      switch self {
      case .logRatio: (exp(value) - 1) * 100
      case .percent: value
      }
    }
  }

  package let kind: Kind
  private var values = ImageValues()
  /// Values to 24 bits: enough for a median of many images, in half the memory.
  private var rounded = BlockArray<Float>()
  private var ends = FigureEnds()
  private var problems: [CurveProblem: Int] = [:]

  package init(_ kind: Kind) { self.kind = kind }

  package var count: Int { values.count }

  package mutating func add(_ value: Double, image: NamedImage) {
    values.add(value)
    rounded.append(Float(value))
    ends.add(value, image: image)
  }

  /// Counts an image's problem, whether or not it has a value.
  package mutating func note(_ problem: CurveProblem) { problems[problem, default: 0] += 1 }

  /// In the problems' order of declaration.
  package var problemCounts: [ProblemCount] {
    CurveProblem.allCases.compactMap { problem in
      problems[problem].map { ProblemCount(problem: problem, images: $0) }
    }
  }

  /// Returns the figure over the corpus; nil without values. Above `Bootstrap.maximumImages` the median uses 24 bits.
  package func figure(outOf: Int, options: AnalysisOptions) -> CorpusFigure? {
    let median = (values.few.isEmpty ? rounded.map(Double.init) : values.few).median
    guard let mean = values.mean, let median, let (best, worst) = ends.named(kind) else { return nil }
    let interval = Bootstrap.interval(of: values, resamples: options.resamples, seed: options.seed)
    return CorpusFigure(
      images: count, outOf: outOf, mean: kind.percent(mean),
      interval: interval.map {
        ConfidenceInterval(lower: kind.percent($0.lower), upper: kind.percent($0.upper), method: $0.method)
      },
      median: kind.percent(median), best: best, worst: worst)
  }
}
