import Foundation
package import Model

/// Rate–quality curve of a variant over the corpus, for plots: the mean at the verdict's target, continued with the
/// mean of the images' slopes so that it does not jump where images drop out.
package struct MeanCurve: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// Position on the metric's curve scale (see `MetricTraits.curveScale`), a whole number for SSIMULACRA2.
    package var score: Double
    /// The chained geometric mean of the bits per pixel over the images where all variants reach the score.
    package var bitsPerPixel: Double
    package var images: Int
  }

  package var variant: CodecVariant
  package var metric: String
  package var points: [Point]
}

/// Evenly spaced positions on a metric's curve scale: whole multiples of a step, around 120 to either side of the origin.
///
/// The band of a known scale has 20 to 40 positions; SSIMULACRA2 has whole scores. For a metric without a scale, the
/// first image's scores define the band.
private struct CurveGrid: Sendable {
  private static let stepsInBand = 40.0
  /// Limits memory, since a broken file may contain any number.
  private static let reach = 120.0

  let step: Double
  private let limits: ClosedRange<Double>

  init?(_ band: ClosedRange<Double>) {
    let width = (band.upperBound - band.lowerBound) / Self.stepsInBand
    let origin = band.lowerBound + width * Self.stepsInBand / 2
    guard width > 0, width.isFinite, abs(origin / width) < 1e6 else { return nil }
    let power = pow(10, log10(width).rounded(.down))
    step = ([1, 2, 5].first { $0 * power >= width } ?? 10) * power
    limits = (origin - Self.reach * step)...(origin + Self.reach * step)
  }

  func levels(_ lower: Double, _ upper: Double) -> ClosedRange<Int>? {
    let first = (max(lower, limits.lowerBound) / step).rounded(.up)
    let last = (min(upper, limits.upperBound) / step).rounded(.down)
    return first <= last ? Int(first)...Int(last) : nil
  }
}

/// Mean rate–quality curves of all variants by one metric, from the images where all of them reach a score: the mean at
/// one score, extended by the mean of the images' own slopes, like a chained index.
struct MeanCurveAccumulator: Sendable {
  private struct Sums: Sendable {
    var images = 0
    var values: [Double] = []

    mutating func add(_ more: [Double]) {
      images += 1
      values += Array(repeating: 0, count: max(0, more.count - values.count))
      for index in more.indices { values[index] += more[index] }
    }

    func mean(_ variant: Int) -> Double? {
      variant < values.count && images > 0 ? values[variant] / Double(images) : nil
    }
  }

  let metric: MetricTraits
  private(set) var images = 0
  private var grid: CurveGrid?
  private var levels: [Int: Sums] = [:]
  /// Change of ln(bits per pixel) from the key to the next level, over the images with both.
  private var slopes: [Int: Sums] = [:]

  init(_ metric: MetricTraits) {
    self.metric = metric
    grid = metric.scale.flatMap { CurveGrid(metric.curveRange(of: $0.band)) }
  }

  mutating func add(_ curves: [RateQualityCurve], pixels: Int) {
    guard pixels > 0, let lower = curves.map(\.scores.lowerBound).max(),
      let upper = curves.map(\.scores.upperBound).min(), lower <= upper
    else { return }
    grid = grid ?? CurveGrid(lower...upper)
    guard let grid, let reached = grid.levels(lower, upper) else { return }
    images += 1
    var before: [Double]?
    for level in reached {
      let sizes = curves.compactMap { $0.drawnBytes(at: Double(level) * grid.step) }
      let values = sizes.map { log($0 * 8 / Double(pixels)) }
      guard sizes.count == curves.count, values.allSatisfy(\.isFinite) else {
        before = nil
        continue
      }
      levels[level, default: Sums()].add(values)
      if let before {
        slopes[level - 1, default: Sums()].add(zip(values, before).map { $0 - $1 })
      }
      before = values
    }
  }

  /// Returns the curves in the order of the variants, over the scores that have at least half the images of the score
  /// with the most. At the score nearest to `anchor` they are the plain mean; without an anchor, at the score with the
  /// most images.
  func curves(_ variants: [CodecVariant], anchor: Double?) -> [MeanCurve] {
    let most = levels.values.map(\.images).max() ?? 0
    let covered = levels.filter { $0.value.images * 2 >= most }
    guard let step = grid?.step,
      let start = covered.keys.min(by: { a, b in
        guard let anchor else { return (-(levels[a]?.images ?? 0), a) < (-(levels[b]?.images ?? 0), b) }
        return (abs(Double(a) * step - anchor), a) < (abs(Double(b) * step - anchor), b)
      })
    else { return [] }
    return variants.indices.compactMap { variant in
      guard let level = levels[start]?.mean(variant) else { return nil }
      var logarithms = [start: level]
      for (direction, side) in [(1, 0), (-1, -1)] {
        var (score, value) = (start, level)
        while let slope = slopes[score + side], slope.images * 2 >= most, let change = slope.mean(variant) {
          value += Double(direction) * change
          score += direction
          logarithms[score] = value
        }
      }
      let points = logarithms.sorted { $0.key < $1.key }.map { score, value in
        MeanCurve.Point(
          score: Double(score) * step, bitsPerPixel: exp(value), images: levels[score]?.images ?? 0)
      }
      return MeanCurve(variant: variants[variant], metric: metric.id, points: points)
    }
  }
}

/// Mean curves with and without imported files, which only a few images may have.
struct MeanCurves: Sendable {
  private var own, all: MeanCurveAccumulator

  init(_ metric: MetricTraits) {
    own = MeanCurveAccumulator(metric)
    all = own
  }

  mutating func add(_ curves: [RateQualityCurve?], imported: Set<Int>, pixels: Int) {
    let complete = curves.compactMap(\.self)
    if complete.count == curves.count { all.add(complete, pixels: pixels) }
    guard !imported.isEmpty else { return }
    let indices = curves.indices.filter { !imported.contains($0) }
    let ownCurves = indices.compactMap { curves[$0] }
    if ownCurves.count == indices.count { own.add(ownCurves, pixels: pixels) }
  }

  /// Returns the curves of all variants, or without the imported ones if most images lack them. They are the plain mean
  /// at `target`, or else at the metric's own headline score.
  func curves(_ variants: [CodecVariant], imported: Set<Int>, target: Double?) -> [MeanCurve] {
    let anchor = (target ?? all.metric.scale?.headline).map { all.metric.curvePosition(of: $0) ?? $0 }
    guard !imported.isEmpty, all.images * 2 < own.images else { return all.curves(variants, anchor: anchor) }
    return own.curves(
      variants.indices.filter { !imported.contains($0) }.map { variants[$0] }, anchor: anchor)
  }
}
