package import Model
import Store

/// The answer for one variant in figures; `Reports` words it.
package struct Verdict: Sendable, Hashable {
  /// What the answer is.
  package enum Direction: String, Sendable, Hashable {
    /// The variant takes fewer bytes, and the interval agrees where there is one.
    case saves
    /// The variant takes more bytes, and the interval agrees where there is one.
    case costs
    /// The interval holds both fewer and more bytes.
    case undecided
    /// Nothing can be said.
    case unknown
  }

  /// A variant without any measured point, and what became of its points.
  package struct Unmeasured: Sendable, Hashable {
    package var variant: CodecVariant
    package var failed: Int
    package var unsupported: Int
  }

  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// What the answer is.
  package var direction: Direction
  /// The score that the answer holds at; nil where no target holds.
  package var target: Double?
  /// The change in bytes at that score, percent.
  package var bytes: CorpusFigure?
  /// The BD-rate by the headline metric over the band.
  package var bdRate: BDRateSummary?
  /// The change in bytes at `target`, percent, of those images alone that the BD-rate stands on; nil where these are
  /// all that `bytes` stands on. Images that do not reach the whole band are no random ones: without it, two means over
  /// different images would read as one codec at two scores.
  package var bytesOfRated: Double?
  /// How the metrics agree over the band; nil with one metric, and where there are too few images for intervals.
  package var agreement: MetricAgreement?
  /// The first of the two variants that has no measured point at all; nil where both have some.
  package var unmeasured: Unmeasured?

  package init(
    variant: CodecVariant, reference: CodecVariant, direction: Direction = .unknown, target: Double? = nil,
    bytes: CorpusFigure? = nil, bdRate: BDRateSummary? = nil
  ) {
    self.variant = variant
    self.reference = reference
    self.direction = direction
    self.target = target
    self.bytes = bytes
    self.bdRate = bdRate
  }

  /// Finds the answer among a pair's figures: at the target that was asked for, or the nearest one that holds
  /// for at least half of the images. What stands on fewer is no answer for the corpus.
  init(
    _ variant: CodecVariant, against reference: CodecVariant, matched: [MatchedQuality],
    bdRates: [BDRateSummary], options: AnalysisOptions
  ) {
    let choice = options.byDistance(matched).first { $0.bytes?.standsOnHalf == true }
    self.init(
      variant: variant, reference: reference, direction: Self.direction(choice?.bytes),
      target: choice?.target, bytes: choice?.bytes,
      bdRate: bdRates.first { $0.metric == options.headlineMetric && $0.range != .overlap })
  }

  /// The answer of a search for a size: which of two variants looks better within it. More points are better,
  /// where of bytes fewer are.
  init(_ variant: CodecVariant, against reference: CodecVariant, gain: TargetFindings.Gain?) {
    self.init(variant: variant, reference: reference)
    switch Self.direction(gain?.points) {
    case .saves: direction = .costs
    case .costs: direction = .saves
    case let other: direction = other
    }
  }

  /// Which way a figure points, as far as its interval agrees.
  static func direction(_ figure: CorpusFigure?) -> Direction {
    guard let figure else { return .unknown }
    return direction(
      from: figure.interval?.lower ?? figure.mean, to: figure.interval?.upper ?? figure.mean)
  }

  /// Which way an interval points.
  static func direction(from lower: Double, to upper: Double) -> Direction {
    if upper < 0 { return .saves }
    return lower > 0 ? .costs : .undecided
  }
}

extension AnalysisOptions {
  /// Figures at several targets, the one nearest to `verdictTarget` first.
  package func byDistance(_ matched: [MatchedQuality]) -> [MatchedQuality] {
    matched.sorted { abs($0.target - verdictTarget) < abs($1.target - verdictTarget) }
  }
}
