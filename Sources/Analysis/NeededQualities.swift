package import Model

/// Qualities needed for a score, image by image, for each variant, between measured qualities too.
///
/// An image's quality is read from its curve if points are close enough; else it is the lowest measured one from which
/// on the image has the score, which is never too low. Images without scores are left out.
package struct NeededQualities: Sendable {
  private var needed: [CodecVariant: BlockArray<Need>] = [:]

  package init() {}

  /// An image's needed quality in four bytes: a run may have a million images.
  private struct Need: Sendable {
    /// Negative for a measured quality, positive for an interpolated one.
    private let signed: Float

    init(quality: Double, isInterpolated: Bool) { signed = Float(isInterpolated ? quality : -quality) }

    var quality: Double { Double(signed.magnitude) }
    var isInterpolated: Bool { signed.sign == .plus }
  }

  /// Adds an image's points of a variant, with their curve by the metric at index `headline` of `metrics`.
  package mutating func add(
    _ variant: CodecVariant, _ samples: [PointSample], _ curve: RateQualityCurve?, _ score: Double,
    _ headline: Int, _ metrics: [MetricTraits]
  ) {
    let scored = samples.filter { $0.scores[headline] != nil }
    guard !scored.isEmpty else { return }
    let metric = metrics[headline]
    let interpolated = metric.curvePosition(of: score).flatMap { curve?.quality(at: $0) }
      .flatMap { $0.isFinite ? max($0, 0) : nil }
    let falling = scored.sorted { ($0.quality?.thousandths ?? 0) > ($1.quality?.thousandths ?? 0) }
    let measured = falling.prefix { sample in
      sample.scores[headline].map { metric.higherIsBetter ? $0 >= score : $0 <= score } == true
    }.last?.quality?.value
    needed[variant, default: BlockArray()].append(
      Need(quality: interpolated ?? measured ?? .infinity, isInterpolated: interpolated != nil))
  }

  /// Returns the lowest quality in hundredths with the score for this share of images, at least one; nil if unknown.
  package func quality(of variant: CodecVariant, share: Double) -> Double? {
    guard let quality = need(of: variant, share: share)?.quality, quality.isFinite else { return nil }
    // A single-precision number may exceed its decimal fraction by 6 in 10^8.
    return min((quality * 100 - 1e-4).rounded(.up) / 100, 1)
  }

  /// Returns true if that quality is merely the next measured one, since points around the score are too far apart.
  package func isCoarse(_ variant: CodecVariant, share: Double) -> Bool {
    need(of: variant, share: share).map { !$0.isInterpolated && $0.quality.isFinite } ?? false
  }

  /// Counts the images with scores, those with a quality from the curve, and those that never have the score.
  package func count(of variant: CodecVariant) -> (images: Int, interpolated: Int, unreached: Int) {
    let needs = needed[variant] ?? BlockArray()
    return (needs.count, needs.count(where: \.isInterpolated), needs.count { !$0.quality.isFinite })
  }

  private func need(of variant: CodecVariant, share: Double) -> Need? {
    guard let sorted = needed[variant]?.sorted(by: { $0.quality < $1.quality }), !sorted.isEmpty else {
      return nil
    }
    let count = min(max(Int((share * Double(sorted.count) - 1e-9).rounded(.up)), 1), sorted.count)
    return sorted[count - 1]
  }
}
