import Foundation
import Metrics
package import Model

/// The cost of one image with one variant as a function of the score: ln(bytes) and CPU time, interpolated by PCHIP
/// between the measured points, undefined beyond them.
///
/// Points of equal bytes are one point. A point beaten by another in both bytes and score is left out, since nobody
/// would choose it; with too many such points there is no curve.
package struct RateQualityCurve: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// Score on the curve scale; larger is better.
    package var score: Double
    package var bytes: Int
    /// Quality of the encode, 0 to 1; nil if unknown.
    package var quality: Double?
    /// CPU milliseconds of each operation.
    package var cpu: OperationTable<Double>

    package init(
      score: Double, bytes: Int, quality: Double? = nil, cpu: OperationTable<Double> = OperationTable()
    ) {
      (self.score, self.bytes, self.quality, self.cpu) = (score, bytes, quality, cpu)
    }
  }

  /// The minimum number of distinct points for a BD-rate. Netflix's scripts refuse fewer as well.
  package static let minimumPoints = 4

  /// Points on the curve, by ascending score and bytes.
  package let points: [Point]
  package let dominatedPoints: Int
  package let bridgesGaps: Bool
  private let rate: PiecewiseCubic
  private let cpu: OperationTable<PiecewiseCubic>

  /// Creates the curve through measured points in any order; ignores points with a non-finite score or without bytes.
  /// - Parameter bridgesGaps: Allows figures between distant points of a complete curve. Only for one encoder against
  ///   itself at the same qualities, where interpolation errs equally on both sides.
  package init(_ measured: [Point], bridgesGaps: Bool = false) throws(CurveProblem) {
    self.bridgesGaps = bridgesGaps
    let usable = measured.filter { $0.score.isFinite && $0.bytes > 0 }
    guard !usable.isEmpty else { throw .missing }
    let distinct = Self.merged(usable)
    points = Self.undominated(distinct)
    dominatedPoints = distinct.count - points.count
    guard dominatedPoints * 3 <= distinct.count else { throw .notMonotone }
    guard let rate = PiecewiseCubic(x: points.map(\.score), y: points.map { log(Double($0.bytes)) })
    else { throw .tooFewPoints }
    self.rate = rate
    // If any point lacks times, there is no curve of times.
    let isTimed = points.first?.cpu.isEmpty == false
    cpu = isTimed ? OperationTable { [points] operation in Self.times(points, operation) } : OperationTable()
  }

  package var scores: ClosedRange<Double> { rate.domain }

  /// True if there are enough points for averages over a range of scores.
  package var isComplete: Bool { points.count >= Self.minimumPoints }

  /// Returns the bytes at a score; nil outside the measurements, or if the points around it are not close enough.
  package func bytes(at score: Double) -> Double? {
    guard bridgesGaps && isComplete || bracket(at: score)?.isClose(.trusted) == true else { return nil }
    return rate.value(at: score).map(exp)
  }

  /// Returns the bytes at a score for a chart, however far apart the points are; not for figures.
  package func drawnBytes(at score: Double) -> Double? {
    isComplete ? rate.value(at: score).map(exp) : bytes(at: score)
  }

  /// Returns the points around a score; nil outside the measurements. A measured score has a bracket without spread.
  package func bracket(at score: Double) -> Bracket? {
    guard let value = rate.value(at: score), let above = points.firstIndex(where: { $0.score >= score })
    else { return nil }
    let upper = points[above]
    guard upper.score > score, above > 0 else { return Bracket(lower: upper, upper: upper, spread: 0) }
    let lower = points[above - 1]
    let spread = (value - log(Double(lower.bytes))) * (log(Double(upper.bytes)) - value)
    return Bracket(lower: lower, upper: upper, spread: max(0, spread))
  }

  package func isMeasured(over interval: ClosedRange<Double>) -> Bool {
    bridgesGaps || wideSteps(over: interval, .trusted).isEmpty
  }

  /// Returns the points around each step that is too wide for an average over an interval of scores.
  package func wideSteps(
    over interval: ClosedRange<Double>, _ closeness: Bracket.Closeness
  ) -> [Bracket] {
    zip(points, points.dropFirst()).filter { lower, upper in
      lower.score < interval.upperBound && upper.score > interval.lowerBound
        && Double(upper.bytes) > Double(lower.bytes) * closeness.widestStep
    }.map { lower, upper in
      let half = log(Double(upper.bytes) / Double(lower.bytes)) / 2
      return Bracket(lower: lower, upper: upper, spread: half * half)
    }
  }

  /// Returns the quality for a score, 0 to 1; nil without bytes at that score, or if a point's quality is unknown.
  package func quality(at score: Double) -> Double? {
    guard bytes(at: score) != nil else { return nil }
    let qualities = points.compactMap(\.quality)
    guard qualities.count == points.count else { return nil }
    return PiecewiseCubic(x: points.map(\.score), y: qualities)?.value(at: score)
  }

  /// Returns the CPU milliseconds of an operation at a score, interpolated like the bytes.
  package func cpu(_ operation: TimedOperation, at score: Double) -> Double? {
    cpu[operation]?.value(at: score).map(exp)
  }

  /// Returns the mean of ln(bytes) over an interval of scores; nil if the interval leaves the curve.
  package func meanLogBytes(over interval: ClosedRange<Double>) -> Double? {
    let width = interval.upperBound - interval.lowerBound
    guard isComplete, width > 0 else { return nil }
    return rate.integral(over: interval).map { $0 / width }
  }

  /// Merges points of equal bytes, keeping the best score with the lowest quality that has it, and the mean times.
  private static func merged(_ points: [Point]) -> [Point] {
    // A sweep's points mostly come in order, with distinct sizes.
    if zip(points, points.dropFirst()).allSatisfy({ $0.bytes < $1.bytes }) { return points }
    let sorted = points.sorted { $0.bytes < $1.bytes }
    var merged: [Point] = []
    merged.reserveCapacity(sorted.count)
    var start = sorted.startIndex
    while start < sorted.endIndex {
      let same = sorted[start...].prefix { $0.bytes == sorted[start].bytes }
      var point = sorted[start]
      if same.count > 1 {
        point = same.min { ($1.score, $0.quality ?? 0) < ($0.score, $1.quality ?? 0) } ?? point
        point.cpu = OperationTable { operation in same.compactMap { $0.cpu[operation] }.mean }
      }
      merged.append(point)
      start = same.endIndex
    }
    return merged
  }

  /// Keeps those points, sorted by ascending bytes, whose score is better than all before them.
  private static func undominated(_ points: [Point]) -> [Point] {
    var kept: [Point] = []
    kept.reserveCapacity(points.count)
    for point in points where point.score > kept.last?.score ?? -.infinity { kept.append(point) }
    return kept
  }

  private static func times(_ points: [Point], _ operation: TimedOperation) -> PiecewiseCubic? {
    let times = points.compactMap { $0.cpu[operation] }.filter { $0 > 0 }
    guard times.count == points.count else { return nil }
    return PiecewiseCubic(x: points.map(\.score), y: times.map { log($0) })
  }
}

extension MetricTraits {
  /// Returns a score's position on the quality axis of a curve: larger is better. SSIM, MS-SSIM and DSSIM are converted
  /// to decibels. Nil if the result is not finite, as for a score of exactly 1, or if the score is at the metric's cap.
  package func curvePosition(of score: Double) -> Double? {
    if let cap, score >= cap { return nil }
    let position =
      switch curveScale {
      case .identity: higherIsBetter ? score : -score
      case .decibelsBelowOne: -10 * log10(1 - score)
      case .decibels: -10 * log10(score)
      }
    return position.isFinite ? position : nil
  }

  /// Returns true if the score is possible for the metric: an SSIM of 5 or a SSIMULACRA2 of 200 is not.
  package func isPossible(_ score: Double) -> Bool {
    guard score.isFinite, curvePosition(of: score) != nil else { return false }
    return score >= scale?.lowest ?? -.infinity && score <= scale?.highest ?? .infinity
  }

  package func curveRange(of scores: ClosedRange<Double>) -> ClosedRange<Double> {
    let ends = [scores.lowerBound, scores.upperBound].map { curvePosition(of: $0) ?? $0 }
    return min(ends[0], ends[1])...max(ends[0], ends[1])
  }

  package func score(atCurvePosition position: Double) -> Double {
    switch curveScale {
    case .identity: higherIsBetter ? position : -position
    case .decibelsBelowOne: 1 - pow(10, -position / 10)
    case .decibels: pow(10, -position / 10)
    }
  }
}
