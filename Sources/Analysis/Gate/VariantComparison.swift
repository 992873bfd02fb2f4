import Foundation
package import Model
import Pixels

/// One variant in two runs, at equal settings and at equal score, over the points measured on both sides.
package struct VariantComparison: Sendable {
  package var variant: CodecVariant
  package var baselineVariant: CodecVariant
  package var hasOtherLibraries = false
  package var points = 0
  package var bytesBefore = 0
  package var bytesAfter = 0
  package var scoreBefore: Double?
  package var scoreAfter: Double?
  /// True if the mean score is worse by more than half of its last decimal.
  package var isScoreWorse = false
  /// Metrics with a score on both sides at some of these points.
  package var comparedScores: Set<String> = []
  /// BD-rate of the run against the baseline by the headline metric over the band, percent.
  package var bdRate: CorpusFigure?
  /// Change of the bytes in percent at each target with a figure.
  package var targets: [(target: Double, percent: CorpusFigure)] = []
  package var times = OperationTable<TimeComparison>()

  package var bytesChangePercent: Double {
    bytesBefore > 0 ? (Double(bytesAfter) / Double(bytesBefore) - 1) * 100 : 0
  }

  package var held: Set<String> {
    guard points > 0 else { return [] }
    var quantities: [GateQuantity] = [.totalBytes, .pointBytes]
    if !targets.isEmpty { quantities.append(.saving(0)) }
    if bdRate != nil { quantities.append(.bdRate) }
    quantities += TimedOperation.allCases.filter { times[$0] != nil }.map(GateQuantity.time)
    return comparedScores.union(quantities.map(\.key))
  }
}

/// Times of one call in two runs, summed over the points measured the same way on both sides.
package struct TimeComparison: Sendable, Hashable {
  /// Sums of the fastest repeats, medians and upper ends of the intervals, in milliseconds.
  struct Sum: Sendable, Hashable {
    var lower = 0.0, median = 0.0, upper = 0.0

    fileprivate mutating func add(_ interval: GatePoint.TimeInterval) {
      lower += interval.lower
      median += interval.median
      upper += interval.upper
    }
  }

  /// The minimum number of repeats for an interval that reflects the noise.
  static let minimumRepeats = 3

  var before = Sum()
  var after = Sum()
  private var fewestRepeats = Int.max
  /// True while every timed point of the baseline has a time from the same machine and number of jobs in the run.
  private(set) var isWhole = true

  fileprivate mutating func add(_ old: GatePoint.TimeInterval?, _ new: GatePoint.TimeInterval?) {
    guard let old else { return }
    isWhole = isWhole && new != nil && old.origin != nil && old.origin == new?.origin
    guard let new, old.source == new.source, old.origin == new.origin else { return }
    before.add(old)
    after.add(new)
    fewestRepeats = min(fewestRepeats, old.repeats, new.repeats)
  }

  var isKnown: Bool { before.median > 0 && after.median > 0 }

  /// True if the summed intervals do not overlap, which is stricter than for independent points, since a machine's
  /// noise is not independent.
  var isSignificant: Bool {
    (after.lower > before.upper || after.upper < before.lower) && fewestRepeats >= Self.minimumRepeats
  }

  package var percent: Double { (after.median / before.median - 1) * 100 }
}

struct GatedVariant: Sendable {
  struct LibraryPair: Sendable, Hashable {
    var before: Int
    var after: Int
  }

  let partner: Int
  private(set) var libraryPairs: Set<LibraryPair> = []
  var comparedMetrics: Set<Int> = []
  private var comparison: VariantComparison
  private let headline: Int?
  private let metrics: [MetricTraits]
  private var score = (before: Mean(), after: Mean())
  private var pair: PairAccumulator
  /// By way; points have none.
  private var times: [String: OperationTable<TimeComparison>] = [:]

  init(
    _ variant: CodecVariant, against baseline: CodecVariant, partner: Int, headline: Int?,
    metrics: [MetricTraits], options: AnalysisOptions
  ) {
    (self.partner, self.headline) = (partner, headline)
    self.metrics = headline.map { [metrics[$0]] } ?? []
    comparison = VariantComparison(variant: variant, baselineVariant: baseline)
    pair = PairAccumulator(variant, against: baseline, metrics: self.metrics, options: options)
  }

  /// Adds a point measured on both sides; returns true if its library versions are known to differ.
  mutating func add(_ before: GatePoint, _ after: GatePoint) -> Bool {
    comparison.points += 1
    comparison.bytesBefore +|= before.bytes
    comparison.bytesAfter +|= after.bytes
    if let headline, let old = before.score(headline), let new = after.score(headline) {
      score.before.add(old)
      score.after.add(new)
    }
    for operation in TimedOperation.allCases {
      times[after.place.way ?? "", default: .init()][operation, default: TimeComparison()].add(
        before.times[operation], after.times[operation])
    }
    // Builds are compared if both sides have them.
    let haveBuilds = before.libraries != before.versions && after.libraries != after.versions
    guard let old = haveBuilds ? before.libraries : before.versions,
      let new = haveBuilds ? after.libraries : after.versions
    else { return false }
    libraryPairs.insert(LibraryPair(before: old, after: new))
    return old != new
  }

  /// Compares the curves through an image's measured points.
  ///
  /// One variant in two runs is compared at the qualities common to both, so interpolation errs equally on both sides,
  /// and equal files show no difference, whatever else was measured. If these give no figure and some of them differ,
  /// all points of each side are used. Two presets have no comparable qualities in common, so each side uses all its
  /// points.
  mutating func compareCurves(_ before: [GatePoint], _ after: [GatePoint], image: String, isSameVariant: Bool)
  {
    guard let headline else { return }
    func pair(_ old: [GatePoint], _ new: [GatePoint], bridgesGaps: Bool) -> CurvePair {
      let sides = [new, old].map {
        VariantCurves($0.map { $0.sample(by: headline) }, metrics: metrics, bridgesGaps: bridgesGaps)
      }
      return (sides[0], sides[1])
    }
    let areSame = isSameVariant && Set(before.map(\.place)) == Set(after.map(\.place))
    var pairs = [pair(before, after, bridgesGaps: areSame)]
    if isSameVariant, !areSame {
      let old = Dictionary(before.map { ($0.place, $0) }, uniquingKeysWith: { $1 })
      let common = after.filter { old[$0.place] != nil }
      let matching = common.compactMap { old[$0.place] }
      let isSame = zip(common, matching).allSatisfy {
        $0.bytes == $1.bytes && $0.score(headline) == $1.score(headline)
      }
      if isSame, !common.isEmpty { pairs = [] }
      pairs.insert(pair(matching, common, bridgesGaps: true), at: 0)
    }
    self.pair.add(image: NamedImage(name: image), pixels: nil, pairs)
  }

  func summary(outOf images: Int, comparesTimes: Bool) -> VariantComparison {
    var summary = comparison
    summary.hasOtherLibraries = libraryPairs.contains { $0.before != $0.after }
    (summary.scoreBefore, summary.scoreAfter) = (score.before.value, score.after.value)
    if let metric = metrics.first, let old = score.before.value, let new = score.after.value {
      summary.isScoreWorse = metric.worsening(from: old, to: new) > 0.5 * pow(10, -Double(metric.decimals))
    }
    summary.targets = pair.matchedQualities(outOf: images).compactMap { matched in
      matched.bytes.map { (matched.target, $0) }
    }
    summary.bdRate = pair.bdRates(outOf: images).first { $0.range != .overlap }?.percent
    if comparesTimes {
      summary.times = times[""]?.compactMapValues { $0.isKnown ? $0 : nil } ?? .init()
    }
    return summary
  }

  /// Times of each way of reading that are comparable. Sizes that share one decode have exactly the same times, which
  /// count once.
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

  /// True if the baseline has times of a way that cannot be compared.
  var hasUntimedWays: Bool {
    times.contains { way, times in !way.isEmpty && times.known.contains { !$0.isWhole } }
  }
}
