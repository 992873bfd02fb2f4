package import Model

/// The answer for one variant in figures; `Reports` puts it into words.
package struct Verdict: Sendable, Hashable {
  package enum Direction: String, Sendable, Hashable {
    case saves
    case costs
    case undecided
    case unknown
    /// Both variants make the same files.
    case same
  }

  package struct Unmeasured: Sendable, Hashable {
    package var variant: CodecVariant
    package var failed: Int
    package var unsupported: Int
  }

  package var variant: CodecVariant
  package var reference: CodecVariant
  package var direction = Direction.unknown
  package var target: Double?
  package var bytes: CorpusFigure?
  package var bdRate: BDRateSummary?
  package var agreement: MetricAgreement?
  /// The shared points if both variants make the same files; nil if they differ anywhere.
  package var same: SharedPoints?
  package var unmeasured: Unmeasured?
}

extension Verdict {
  /// Finds the answer among a pair's figures: at the requested target, or the nearest one with a figure for at least
  /// half of the images. Fewer images do not represent the corpus.
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

  /// Creates the answer of a search for a size: the better-looking variant. More points are better, unlike bytes.
  init(_ variant: CodecVariant, against reference: CodecVariant, gain: TargetFindings.Gain?) {
    self.init(variant: variant, reference: reference)
    switch Self.direction(gain?.points) {
    case .saves: direction = .costs
    case .costs: direction = .saves
    case let other: direction = other
    }
  }

  static func direction(_ figure: CorpusFigure?) -> Direction {
    guard let figure else { return .unknown }
    return direction(
      from: figure.interval?.lower ?? figure.mean, to: figure.interval?.upper ?? figure.mean)
  }

  static func direction(from lower: Double, to upper: Double) -> Direction {
    if upper < 0 { return .saves }
    return lower > 0 ? .costs : .undecided
  }
}

extension AnalysisOptions {
  package func byDistance(_ matched: [MatchedQuality]) -> [MatchedQuality] {
    matched.sorted { abs($0.target - verdictTarget) < abs($1.target - verdictTarget) }
  }
}
