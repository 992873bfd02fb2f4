import Model

/// Comparison of one variant in two runs over streaming images.
struct GatedVariant: Sendable {
  /// Numbers of a point's library versions on both sides.
  struct LibraryPair: Sendable, Hashable, Comparable {
    var before: Int
    var after: Int

    static func < (a: LibraryPair, b: LibraryPair) -> Bool { (a.before, a.after) < (b.before, b.after) }
  }

  /// Number of the baseline variant compared with.
  let partner: Int
  private(set) var libraryPairs: Set<LibraryPair> = []
  /// Metrics with a score on both sides of some point.
  private(set) var comparedMetrics: Set<Int> = []
  private var comparison: VariantComparison
  private let headline: Int?
  private let metrics: [MetricTraits]
  private var scoreBefore = Mean()
  private var scoreAfter = Mean()
  private var pair: PairAccumulator
  /// By way; points have none.
  private var times: [String: OperationTable<TimeComparison>] = [:]

  init(
    variant: CodecVariant, partner: Int, headline: Int?, metrics: [MetricTraits], options: AnalysisOptions
  ) {
    self.partner = partner
    self.headline = headline
    self.metrics = headline.map { [metrics[$0]] } ?? []
    comparison = VariantComparison(variant: variant)
    pair = PairAccumulator(metrics: self.metrics, options: options)
  }

  func differs(_ before: GatePoint, _ after: GatePoint) -> Bool {
    Self.libraries(before, after).map { $0.before != $0.after } ?? false
  }

  /// Returns the library versions if known on both sides; with builds if both have those.
  private static func libraries(_ before: GatePoint, _ after: GatePoint) -> LibraryPair? {
    let haveBuilds = before.libraries != before.versions && after.libraries != after.versions
    guard let old = haveBuilds ? before.libraries : before.versions,
      let new = haveBuilds ? after.libraries : after.versions
    else { return nil }
    return LibraryPair(before: old, after: new)
  }

  mutating func noteScore(_ metric: Int) { comparedMetrics.insert(metric) }

  mutating func add(_ before: GatePoint, _ after: GatePoint) {
    comparison.points += 1
    comparison.bytesBefore = saturatingSum(comparison.bytesBefore, before.bytes)
    comparison.bytesAfter = saturatingSum(comparison.bytesAfter, after.bytes)
    if let headline, let old = before.scores[headline], let new = after.scores[headline] {
      scoreBefore.add(old)
      scoreAfter.add(new)
    }
    if let libraries = Self.libraries(before, after) { libraryPairs.insert(libraries) }
    for operation in TimedOperation.allCases {
      times[after.place.way ?? "", default: .init()][operation, default: TimeComparison()].add(
        before.times[operation], after.times[operation])
    }
  }

  /// Compares the curves through an image's points.
  ///
  /// One variant in two runs is compared at the qualities common to both, so that an interpolation errs on both sides
  /// alike, and equal files differ by nothing, whatever else was measured. If these give no figure and some of them
  /// differ, all points of each side are used. Two presets have no comparable qualities in common, so each side uses
  /// all its points.
  mutating func compareCurves(_ before: [GatePoint], _ after: [GatePoint], image: String, isSameVariant: Bool)
  {
    guard let headline else { return }
    let image = NamedImage(name: image)
    let areSame = isSameVariant && Set(before.map(\.place)) == Set(after.map(\.place))
    let all = PairAccumulator.Pair(
      candidate: Self.curves(after, headline, metrics, bridgesGaps: areSame),
      reference: Self.curves(before, headline, metrics, bridgesGaps: areSame))
    guard isSameVariant, !areSame else {
      pair.add(image: image, pixels: nil, [all])
      return
    }
    let old = Dictionary(before.map { ($0.place, $0) }, uniquingKeysWith: { $1 })
    let common = after.filter { old[$0.place] != nil }
    let matching = common.compactMap { old[$0.place] }
    let shared = PairAccumulator.Pair(
      candidate: Self.curves(common, headline, metrics, bridgesGaps: true),
      reference: Self.curves(matching, headline, metrics, bridgesGaps: true))
    let isSame = zip(common, matching).allSatisfy {
      $0.bytes == $1.bytes && $0.scores[headline] == $1.scores[headline]
    }
    pair.add(image: image, pixels: nil, isSame && !common.isEmpty ? [shared] : [shared, all])
  }

  private static func curves(
    _ points: [GatePoint], _ headline: Int, _ metrics: [MetricTraits], bridgesGaps: Bool
  ) -> VariantCurves {
    let samples = points.compactMap { point in
      var sample = point.sample
      sample?.scores = [point.scores[headline]]
      return sample
    }
    return VariantCurves(samples, metrics: metrics, bridgesGaps: bridgesGaps)
  }

  func summary(
    variants: [CodecVariant], outOf images: Int, comparesTimes: Bool, options: AnalysisOptions
  ) -> VariantComparison {
    var summary = comparison
    summary.baselineVariant = variants[partner]
    summary.hasOtherLibraries = libraryPairs.contains { $0.before != $0.after }
    summary.scoreBefore = scoreBefore.value
    summary.scoreAfter = scoreAfter.value
    let baseline = summary.baselineVariant
    let matched = pair.matchedQualities(summary.variant, baseline, outOf: images)
    summary.targets = matched.compactMap { matched in
      matched.bytes.map { VariantComparison.TargetChange(target: matched.target, percent: $0) }
    }
    summary.bdRate =
      pair.bdRates(summary.variant, baseline, outOf: images)
      .first { $0.range != .overlap }?.percent
    if comparesTimes {
      summary.times = times[""]?.compactMapValues { $0.isKnown ? $0 : nil } ?? .init()
    }
    return summary
  }

  /// Times of each way of reading that are comparable. Sizes served by one decode share its times to the last digit,
  /// and count once.
  var timedWays: [(way: String, operation: TimedOperation, times: TimeComparison)] {
    var seen: Set<TimeComparison> = []
    return times.sorted { $0.key < $1.key }.flatMap { way, times in
      TimedOperation.allCases.compactMap { operation in
        guard let change = times[operation], change.isWhole, change.isKnown, seen.insert(change).inserted
        else { return nil }
        return (way, operation, change)
      }
    }
  }

  /// True if a way has times in the baseline that cannot be compared.
  var hasUntimedWays: Bool {
    times.contains { way, times in !way.isEmpty && times.known.contains { !$0.isWhole } }
  }
}
