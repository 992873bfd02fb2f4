import Foundation
import Model

/// Mean rate–quality curves of all variants, on whole scores, from the images where all of them reach a score.
///
/// A plain mean jumps where images drop out, and its curve seems to turn back. So the curve is the mean at one score,
/// extended by the mean of the images' own slopes, like a chained index.
struct MeanCurveAccumulator: Sendable {
  /// Scores outside are of no use, and a broken file may hold any number.
  private static let limits = -50.0...150.0

  /// Sums over images of ln(bits per pixel), by variant.
  private struct Sums: Sendable {
    var images = 0
    var values: [Double] = []

    mutating func add(_ more: [Double]) {
      images += 1
      guard values.count == more.count else {
        values = more.indices.map { more[$0] + ($0 < values.count ? values[$0] : 0) }
        return
      }
      for index in more.indices { values[index] += more[index] }
    }

    func mean(_ variant: Int) -> Double? {
      variant < values.count && images > 0 ? values[variant] / Double(images) : nil
    }
  }

  private(set) var images = 0
  private var levels: [Int: Sums] = [:]
  /// Change of ln(bits per pixel) from the key to the next score, over the images with both.
  private var slopes: [Int: Sums] = [:]

  mutating func add(_ curves: [RateQualityCurve], pixels: Int) {
    guard pixels > 0, let lower = curves.map(\.scores.lowerBound).max(),
      let upper = curves.map(\.scores.upperBound).min()
    else { return }
    let first = max(lower, Self.limits.lowerBound).rounded(.up)
    let last = min(upper, Self.limits.upperBound).rounded(.down)
    guard first <= last else { return }
    images += 1
    var before: [Double]?
    for score in stride(from: first, through: last, by: 1) {
      let sizes = curves.compactMap { $0.drawnBytes(at: score) }
      let values = sizes.map { log($0 * 8 / Double(pixels)) }
      guard sizes.count == curves.count, values.allSatisfy(\.isFinite) else {
        before = nil
        continue
      }
      levels[Int(score), default: Sums()].add(values)
      if let before {
        slopes[Int(score) - 1, default: Sums()].add(zip(values, before).map { $0 - $1 })
      }
      before = values
    }
  }

  /// Returns the curves in the order of the variants, over the scores with at least half the images of the best covered
  /// one. At the score nearest to `anchor` they are the plain mean.
  func curves(_ variants: [CodecVariant], metric: String, anchor: Double) -> [MeanCurve] {
    let most = levels.values.map(\.images).max() ?? 0
    let covered = levels.filter { $0.value.images * 2 >= most }.keys
    guard let start = covered.min(by: { (abs(Double($0) - anchor), $0) < (abs(Double($1) - anchor), $1) })
    else { return [] }
    return variants.indices.compactMap { variant in
      guard let level = levels[start]?.mean(variant) else { return nil }
      var logarithms = [start: level]
      for (step, side) in [(1, 0), (-1, -1)] {
        var (score, value) = (start, level)
        while let slope = slopes[score + side], slope.images * 2 >= most, let change = slope.mean(variant) {
          value += Double(step) * change
          score += step
          logarithms[score] = value
        }
      }
      let points = logarithms.sorted { $0.key < $1.key }.map { score, value in
        MeanCurve.Point(
          score: Double(score), bitsPerPixel: exp(value), images: levels[score]?.images ?? 0)
      }
      return MeanCurve(variant: variants[variant], metric: metric, points: points)
    }
  }
}
