internal import Curves
internal import Foundation

/// An image as figures name it.
struct NamedImage: Sendable {
  /// Its printable name.
  var name: String
  /// Whether it is smaller than the headline metric was made for: `MetricTraits.dependableSide`.
  var isSmall = false
}

/// The images with the lowest and the highest value; of equal ones the first.
struct FigureEnds: Sendable {
  private typealias End = (value: Double, image: NamedImage)
  private var ends: (lowest: End, highest: End)?

  /// Takes an image's value.
  mutating func add(_ value: Double, image: NamedImage) {
    guard let (lowest, highest) = ends else {
      ends = ((value, image), (value, image))
      return
    }
    if value < lowest.value { ends?.lowest = (value, image) }
    if value > highest.value { ends?.highest = (value, image) }
  }

  /// The ends as changes in percent; nil without values.
  func named(_ kind: FigureColumn.Kind) -> (best: NamedFigure, worst: NamedFigure)? {
    ends.map { (Self.named($0.lowest, kind), Self.named($0.highest, kind)) }
  }

  private static func named(_ end: End, _ kind: FigureColumn.Kind) -> NamedFigure {
    NamedFigure(
      image: end.image.name, value: kind.percent(end.value), isSmall: end.image.isSmall ? true : nil)
  }
}

/// One figure of many images while they stream by: what is needed of the values that exist, and why the others do not.
/// Of each of very many images it keeps four bytes, for the median.
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
  private var values = ImageValues()
  /// The values to 24 bits: a median of many images needs no more, and takes half of the memory.
  private var rounded = BlockArray<Float>()
  private var ends = FigureEnds()
  private var problems: [CurveProblem: Int] = [:]

  init(_ kind: Kind) { self.kind = kind }

  /// How many images have a value.
  var count: Int { values.count }

  /// Adds an image's value.
  mutating func add(_ value: Double, image: NamedImage) {
    values.add(value)
    rounded.append(Float(value))
    ends.add(value, image: image)
  }

  /// Counts an image's problem, whether or not it has a value.
  mutating func note(_ problem: CurveProblem) { problems[problem, default: 0] += 1 }

  /// The problems in their order of declaration.
  var problemCounts: [ProblemCount] {
    CurveProblem.allCases.compactMap { problem in
      problems[problem].map { ProblemCount(problem: problem, images: $0) }
    }
  }

  /// The figure over the corpus; nil without values. The median of more than `Bootstrap.maximumImages` is one of values
  /// to 24 bits.
  func figure(outOf: Int, options: AnalysisOptions) -> CorpusFigure? {
    let median = values.few.isEmpty ? Bootstrap.median(rounded) : Bootstrap.median(values.few)
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
