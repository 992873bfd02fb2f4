internal import Curves
internal import Foundation
internal import Model

/// The quality from which on each image has a score, by variant: what lies between two measured qualities.
///
/// An image's quality is read from its curve, where points are close enough for that; else it is the lowest measured one
/// from which on the image has the score, which is never too low.
struct NeededQualities: Sendable {
  /// By image; infinite for an image that never has the score.
  private var needed: [CodecVariant: [Need]] = [:]

  private struct Need {
    var quality: Double
    /// Whether the image's curve tells it.
    var isInterpolated: Bool
  }

  /// Adds an image's points of a variant. `position` is where the score stands on the curve, `hasScore` whether a point
  /// has it.
  mutating func add(
    _ variant: CodecVariant, _ samples: [PointSample], _ curve: RateQualityCurve?, position: Double?,
    hasScore: (PointSample) -> Bool
  ) {
    let interpolated = position.flatMap { curve?.quality(at: $0) }.flatMap { $0.isFinite ? $0 : nil }
    let falling = samples.sorted { ($0.quality?.thousandths ?? 0) > ($1.quality?.thousandths ?? 0) }
    let measured = falling.prefix(while: hasScore).last?.quality?.value ?? .infinity
    needed[variant, default: []].append(
      Need(quality: interpolated ?? measured, isInterpolated: interpolated != nil))
  }

  /// The lowest quality in hundredths that this share of the images has the score at; nil where none is known.
  func quality(of variant: CodecVariant, share: Double) -> Double? {
    guard let quality = need(of: variant, share: share)?.quality else { return nil }
    return quality.isFinite ? min((quality * 100 - 1e-9).rounded(.up) / 100, 1) : nil
  }

  /// Whether that quality is the next measured one alone, since points around the score are too far apart.
  func isCoarse(_ variant: CodecVariant, share: Double) -> Bool {
    need(of: variant, share: share).map { !$0.isInterpolated && $0.quality.isFinite } ?? false
  }

  private func need(of variant: CodecVariant, share: Double) -> Need? {
    guard let sorted = needed[variant]?.sorted(by: { $0.quality < $1.quality }), !sorted.isEmpty else {
      return nil
    }
    let count = min(max(Int((share * Double(sorted.count) - 1e-9).rounded(.up)), 1), sorted.count)
    return sorted[count - 1]
  }
}
