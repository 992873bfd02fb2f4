import Analysis
import Foundation
package import Model

/// Adds points between those of the grid if a quoted figure lies between two points that are too far apart.
///
/// Around each target and each end of the band, the next quality is the one expected to have the score. A step within
/// the band that is too wide for an average is halved. `Bracket` decides what is close enough, with the same rule as
/// for printed figures. A target beyond the grid is searched for there, up to the ends of the codec's own scale.
package struct RefinementStrategy: Sendable, QualityStrategy {
  struct Scale: Sendable {
    var native: ClosedRange<Int>
    var closeness: Bracket.Closeness
  }

  /// The most points off the grid that one target may take. Halving a hundred qualities takes seven, and each target is
  /// approached by interpolation; more are useless on a curve that does not rise.
  private static let mostProbes = 7
  /// The most points that may fail before the variant is no longer refined.
  private static let mostFailures = 3

  package let goal: Refinement
  let metric: MetricTraits
  private let gridCount: Int
  /// Membership in the grid by thousandths, for speed: every point of every image is looked up.
  private let isInGrid: [Bool]
  private let scales: [CodecVariant: Scale]
  /// The targets and the ends of the band on the metric's curve scale.
  private let positions: [Double]
  private let band: ClosedRange<Double>

  init(goal: Refinement, metric: MetricTraits, grid: [Quality], scales: [CodecVariant: Scale]) {
    self.goal = goal
    self.metric = metric
    gridCount = Set(grid).count
    var isInGrid = [Bool](repeating: false, count: 1001)
    for quality in grid { isInGrid[quality.thousandths] = true }
    self.isInGrid = isInGrid
    self.scales = scales
    band = metric.curveRange(of: goal.band)
    let targets = goal.targets.compactMap(metric.curvePosition(of:))
    positions = Set(targets + [band.lowerBound, band.upperBound]).sorted()
  }

  /// On the Kodak images with ten qualities, a finely refined codec took 5.9 additional points for four scores, another
  /// 3.2. Fewer qualities need more halvings: with four, on nine photographs of 0.4 to 13 megapixels, 8.4 and 8.6.
  func expectedPoints(of variant: CodecVariant) -> Double {
    guard let scale = scales[variant] else { return 0 }
    let halvings = max(0, log2(Self.densityOfExpectation / Double(max(1, gridCount))))
    let each = (scale.closeness == .fine ? 1.5 : 0.8) + Self.shareOfHalvings * halvings
    return min(each, Double(Self.mostProbes)) * Double(positions.count)
  }

  /// The grid size that the expected points refer to, and the share of the additional halvings for a smaller grid that
  /// prove necessary.
  private static let (densityOfExpectation, shareOfHalvings) = (10.0, 0.8)

  package func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality] {
    var (added, failed) = (0, 0)
    for (quality, point) in known where !isInGrid[quality.thousandths] {
      added += 1
      if point.bytes == nil { failed += 1 }
    }
    guard let scale = scales[variant], added < Self.mostProbes * positions.count, failed < Self.mostFailures
    else { return [] }
    var points = KnownPoints(known, scale: scale.native, metric: metric)
    guard let curve = points.curve else { return [] }
    // Brackets on the curve, identified by the bytes of their lower point, which are unique.
    var halved: [Int] = []
    var qualities: Set<Quality> = []
    for position in positions {
      guard let bracket = curve.bracket(at: position) else {
        if let quality = points.quality(towards: position, within: scale.native) { qualities.insert(quality) }
        continue
      }
      guard !bracket.isClose(scale.closeness) else { continue }
      // This target's point may also serve another target between the same points.
      guard !halved.contains(bracket.lower.bytes) else { continue }
      halved.append(bracket.lower.bytes)
      if let quality = points.quality(in: bracket, at: position) { qualities.insert(quality) }
    }
    for step in curve.wideSteps(over: band, scale.closeness) where !halved.contains(step.lower.bytes) {
      if let quality = points.quality(in: step, at: nil) { qualities.insert(quality) }
    }
    return qualities.sorted()
  }
}

private struct KnownPoints {
  private let measured: [(native: Int, bytes: Int, position: Double)]
  private let known: [Quality: FinishedPoint]
  private let scale: ClosedRange<Int>

  init(_ known: [Quality: FinishedPoint], scale: ClosedRange<Int>, metric: MetricTraits) {
    (self.known, self.scale) = (known, scale)
    measured = known.compactMap { quality, point in
      guard let bytes = point.bytes, let position = point.score.flatMap(metric.curvePosition(of:)) else {
        return nil
      }
      return (quality.nativeValue(in: scale), bytes, position)
    }.sorted { $0.native < $1.native }
  }

  private lazy var tried = known.keys.map { $0.nativeValue(in: scale) }
  /// The measured points with a better score than all points of lower quality.
  private lazy var rising = Self.rising(measured)
  /// Quality as a function of score, through `rising`.
  private lazy var inverse = PiecewiseCubic(
    x: rising.map(\.position), y: rising.map { Double($0.native) })

  var curve: RateQualityCurve? {
    try? RateQualityCurve(measured.map { RateQualityCurve.Point(score: $0.position, bytes: $0.bytes) })
  }

  /// The untried quality between two neighbours that is nearest to a score, or to the middle; nil if there is none.
  mutating func quality(in bracket: Bracket, at position: Double?) -> Quality? {
    guard let low = measured.last(where: { $0.bytes == bracket.lower.bytes })?.native,
      let high = measured.first(where: { $0.bytes == bracket.upper.bytes })?.native, high - low > 1
    else { return nil }
    let tried = tried
    let wanted = position.flatMap { inverse?.value(at: $0) } ?? Double(low + high) / 2
    return (low + 1..<high).lazy.filter { !tried.contains($0) }
      .min { abs(Double($0) - wanted) < abs(Double($1) - wanted) }.flatMap { Quality(native: $0) }
  }

  /// The untried quality beyond all tried ones at which the line through the two outermost points reaches a score,
  /// limited to the scale's end; nil if the end has been tried.
  mutating func quality(towards position: Double, within scale: ClosedRange<Int>) -> Quality? {
    let (rising, tried) = (rising, tried)
    guard rising.count > 1, let lowest = tried.min(), let highest = tried.max() else { return nil }
    let last = rising.count - 1
    let isHigher = position > rising[last].position
    let (outer, inner) = isHigher ? (rising[last], rising[last - 1]) : (rising[0], rising[1])
    let slope = (outer.position - inner.position) / Double(outer.native - inner.native)
    let wanted = Double(outer.native) + (position - outer.position) / slope
    let beyond =
      isHigher
      ? max(wanted.rounded(.up), Double(highest + 1)) : min(wanted.rounded(.down), Double(lowest - 1))
    let native = Int(min(max(beyond, Double(scale.lowerBound)), Double(scale.upperBound)))
    return tried.contains(native) ? nil : Quality(native: native)
  }

  private static func rising(
    _ measured: [(native: Int, bytes: Int, position: Double)]
  ) -> [(native: Int, position: Double)] {
    var rising: [(native: Int, position: Double)] = []
    for point in measured where point.position > rising.last?.position ?? -.infinity {
      rising.append((point.native, point.position))
    }
    return rising
  }
}
