internal import BenchModel
internal import Foundation

/// Mean rate–quality curves of all variants, on whole scores, from the images where all of them reach a score.
struct MeanCurveAccumulator: Sendable {
  /// Scores outside of these are of no use to anybody, and a broken file may hold any number.
  private static let limits = -50.0...150.0
  private var images: [Int: Int] = [:]
  private var logBitsPerPixel: [Int: [Double]] = [:]

  /// Adds an image with the curves of all variants.
  mutating func add(_ curves: [RateQualityCurve], pixels: Int) {
    guard pixels > 0, let lower = curves.map(\.scores.lowerBound).max(),
      let upper = curves.map(\.scores.upperBound).min()
    else { return }
    let first = max(lower, Self.limits.lowerBound).rounded(.up)
    let last = min(upper, Self.limits.upperBound).rounded(.down)
    guard first <= last else { return }
    for score in stride(from: first, through: last, by: 1) {
      let sizes = curves.compactMap { $0.bytes(at: score) }
      guard sizes.count == curves.count else { continue }
      let values = sizes.map { log($0 * 8 / Double(pixels)) }
      let sums = logBitsPerPixel[Int(score)] ?? []
      logBitsPerPixel[Int(score)] = values.indices.map { values[$0] + ($0 < sums.count ? sums[$0] : 0) }
      images[Int(score), default: 0] += 1
    }
  }

  /// The curves, in the order of the variants.
  func curves(_ variants: [CodecVariant], metric: String) -> [MeanCurve] {
    variants.enumerated().compactMap { index, variant in
      let points = images.sorted { $0.key < $1.key }.compactMap { score, count -> MeanCurve.Point? in
        guard let sums = logBitsPerPixel[score], index < sums.count else { return nil }
        return MeanCurve.Point(
          score: Double(score), bitsPerPixel: exp(sums[index] / Double(count)), images: count)
      }
      return points.isEmpty ? nil : MeanCurve(variant: variant, metric: metric, points: points)
    }
  }
}
