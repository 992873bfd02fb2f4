import Foundation
package import Model

/// One variant's bytes against another's at one score or over a range of scores (BD-rate), image by image: the
/// geometric mean of the ratios over the images that both bring to the score, with Student's t interval of the mean of
/// their logarithms. The spread between images does not widen it, unlike the intervals of both against a third variant.
package struct PairedComparison: Sendable, Hashable {
  package var variant: CodecVariant
  package var against: CodecVariant
  /// One score, or the range of a BD-rate.
  package var scores: ClosedRange<Double>
  /// Change in bytes in percent: −13 for 13 % fewer.
  package var changePercent: Double
  /// 95 % interval of the change; nil with too few images, or if every image has equal bytes.
  package var interval: ConfidenceInterval?
  package var images: Int
  /// The number of images in which the variant has fewer bytes.
  package var smallerIn: Int
  /// The number of images in which the other variant has fewer bytes.
  package var largerIn: Int

  /// True if the interval leaves no doubt about which variant has fewer bytes.
  package var isToldApart: Bool { interval.map { $0.upper < 0 || $0.lower > 0 } ?? false }
  /// True if every image has equal bytes, as with two builds of the same encoder.
  package var isSame: Bool { images > 0 && smallerIn + largerIn == 0 }

  /// The same comparison with the variants exchanged.
  package var reversed: PairedComparison {
    func inverse(_ percent: Double) -> Double { (1 / (1 + percent / 100) - 1) * 100 }
    var other = self
    (other.variant, other.against) = (against, variant)
    (other.smallerIn, other.largerIn) = (largerIn, smallerIn)
    other.changePercent = inverse(changePercent)
    other.interval = interval.map {
      ConfidenceInterval(lower: inverse($0.upper), upper: inverse($0.lower), method: $0.method)
    }
    return other
  }
}

extension PairedComparison {
  /// Compares at a score by the logarithms of ratios, image by image; nil without any ratio.
  package init?(
    _ variant: CodecVariant, against: CodecVariant, at score: Double, logarithms: [Double],
    options: AnalysisOptions = .standard
  ) {
    var ratios = PairedRatios.Ratios()
    for value in logarithms { ratios.add(value) }
    self.init(variant, against, score...score, ratios, options)
  }

  fileprivate init?(
    _ variant: CodecVariant, _ against: CodecVariant, _ scores: ClosedRange<Double>,
    _ ratios: PairedRatios.Ratios, _ options: AnalysisOptions
  ) {
    guard let mean = ratios.logarithms.mean else { return nil }
    let isSame = ratios.smaller + ratios.larger == 0
    let interval = StudentT.interval(of: ratios.logarithms, population: options.population)
    self.init(
      variant: variant, against: against, scores: scores,
      changePercent: FigureColumn.Kind.logRatio.shown(mean),
      interval: isSame ? nil : interval?.mapped(FigureColumn.Kind.logRatio.shown),
      images: ratios.logarithms.count, smallerIn: ratios.smaller, largerIn: ratios.larger)
  }
}

/// Collects the ratios of every pair of variants over streamed images.
struct PairedRatios: Sendable {
  fileprivate struct Ratios: Sendable {
    var logarithms = ImageValues()
    var (smaller, larger) = (0, 0)

    mutating func add(_ logarithm: Double) {
      logarithms.add(logarithm)
      if logarithm < 0 { smaller += 1 }
      if logarithm > 0 { larger += 1 }
    }
  }

  /// By the later variant of a pair, then by the earlier one.
  private var pairs: [[Ratios]] = []

  /// Adds an image with a number of variants; `ratio` of two variants is nil if one of them does not reach the score.
  mutating func add(_ variants: Int, ratio: (Int, Int) -> Double?) {
    while pairs.count < variants { pairs.append([Ratios](repeating: Ratios(), count: pairs.count)) }
    for later in 0..<variants {
      for earlier in 0..<later {
        if let ratio = ratio(later, earlier) { pairs[later][earlier].add(log(ratio)) }
      }
    }
  }

  /// All pairs of variants that share images, except those with `excluded` indices.
  func comparisons(
    _ variants: [CodecVariant], excluding excluded: Set<Int>, at scores: ClosedRange<Double>,
    options: AnalysisOptions
  ) -> [PairedComparison] {
    pairs.indices.filter { !excluded.contains($0) }.flatMap { later in
      pairs[later].indices.filter { !excluded.contains($0) }.compactMap { earlier in
        PairedComparison(variants[later], variants[earlier], scores, pairs[later][earlier], options)
      }
    }
  }
}
