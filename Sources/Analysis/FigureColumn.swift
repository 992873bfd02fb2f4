internal import Curves
internal import Foundation

/// One figure of many images while they stream by: the values that exist, and why the others do not.
struct FigureColumn: Sendable {
  /// What the values are, and so how their mean is taken.
  enum Kind: Sendable {
    /// Natural logarithms of byte ratios.
    case logRatio
    /// Percentages.
    case percent

    /// A value as a change in percent.
    func percent(_ value: Double) -> Double {
      switch self {
      case .logRatio: (exp(value) - 1) * 100
      case .percent: value
      }
    }
  }

  let kind: Kind
  private(set) var values: [Double] = []
  private var images: [Int32] = []
  private var problems: [CurveProblem: Int] = [:]

  init(_ kind: Kind) { self.kind = kind }

  /// Adds an image's value; `image` is its position in the list of names.
  mutating func add(_ value: Double, image: Int) {
    values.append(value)
    images.append(Int32(truncatingIfNeeded: image))
  }

  /// Counts an image's problem, whether or not it has a value.
  mutating func note(_ problem: CurveProblem) { problems[problem, default: 0] += 1 }

  /// The problems in their order of declaration.
  var problemCounts: [ProblemCount] {
    CurveProblem.allCases.compactMap { problem in
      problems[problem].map { ProblemCount(problem: problem, images: $0) }
    }
  }

  /// The figure over the corpus; nil without values.
  func figure(names: [String], outOf: Int, options: AnalysisOptions) -> CorpusFigure? {
    guard let median = Bootstrap.median(values), let best = extreme(<), let worst = extreme(>) else {
      return nil
    }
    let mean = values.reduce(0, +) / Double(values.count)
    let interval = Bootstrap.interval(of: values, resamples: options.resamples, seed: options.seed)
    return CorpusFigure(
      images: values.count, outOf: outOf, mean: kind.percent(mean),
      interval: interval.map {
        ConfidenceInterval(lower: kind.percent($0.lower), upper: kind.percent($0.upper), method: $0.method)
      },
      median: kind.percent(median), best: named(best, names), worst: named(worst, names))
  }

  private func extreme(_ precedes: (Double, Double) -> Bool) -> Int? {
    values.indices.min { precedes(values[$0], values[$1]) }
  }

  private func named(_ position: Int, _ names: [String]) -> NamedFigure {
    NamedFigure(image: names[Int(images[position])], value: kind.percent(values[position]))
  }
}
