package import Model

/// Qualities needed for a score, image by image and variant by variant, interpolated between measured qualities.
///
/// An image's quality comes from its curve if points are close enough; else it is the lowest measured quality from
/// which on the image keeps the score, which is never too low. Images without scores are left out, and so are images
/// that miss the score but were not measured at qualities as high as other images, as in an interrupted run.
package struct NeededQualities: Sendable {
  private var needed: [CodecVariant: BlockArray<Need>] = [:]
  /// For each image that misses the score, its highest measured quality.
  private var missed: [CodecVariant: [Double]] = [:]
  /// The highest measured quality of all images.
  private var highest: [CodecVariant: Double] = [:]

  package init() {}

  /// An image's needed quality in four bytes: a run may have a million images.
  private struct Need: Sendable {
    /// Negative for a measured quality, positive for an interpolated one.
    private let signed: Float

    init(quality: Double, isInterpolated: Bool) { signed = Float(isInterpolated ? quality : -quality) }

    var quality: Double { Double(signed.magnitude) }
    var isInterpolated: Bool { signed.sign == .plus }
  }

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
    let top = falling.first?.quality?.value ?? 1
    highest[variant] = max(highest[variant] ?? 0, top)
    guard let quality = interpolated ?? measured else {
      missed[variant, default: []].append(top)
      return
    }
    needed[variant, default: BlockArray()].append(
      Need(quality: quality, isInterpolated: interpolated != nil))
  }

  /// The number of images that miss the score even at the highest quality.
  private func unreached(_ variant: CodecVariant) -> Int {
    missed[variant]?.count { $0 >= highest[variant] ?? 0 } ?? 0
  }

  /// Returns the lowest quality in hundredths at which this share of images, at least one, reaches the score; nil if
  /// unknown.
  package func quality(of variant: CodecVariant, share: Double) -> Double? {
    guard let quality = need(of: variant, share: share)?.quality else { return nil }
    // A single-precision number may exceed its decimal fraction by 6 in 10^8.
    return min((quality * 100 - 1e-4).rounded(.up) / 100, 1)
  }

  /// Returns nil unless at least one image's curve gives the quality.
  func setting(of variant: CodecVariant, target: Double, outOf: Int) -> QualitySetting? {
    guard let needs = needed[variant], needs.contains(where: \.isInterpolated),
      let lowest = quality(of: variant, share: 0)
    else { return nil }
    let isTold = need(of: variant, share: 0.5)?.isInterpolated == true
    let unreached = unreached(variant)
    return QualitySetting(
      variant: variant, target: target, images: needs.count + unreached, outOf: outOf, unreached: unreached,
      quality: quality(of: variant, share: QualitySetting.usualShare),
      median: isTold ? quality(of: variant, share: 0.5) : nil, lowest: lowest,
      highest: quality(of: variant, share: 1))
  }

  /// Nil if fewer images reach the score.
  private func need(of variant: CodecVariant, share: Double) -> Need? {
    guard let sorted = needed[variant]?.sorted(by: { $0.quality < $1.quality }) else { return nil }
    let all = sorted.count + unreached(variant)
    let count = QualitySetting.count(of: all, share: share)
    return count <= sorted.count ? sorted[count - 1] : nil
  }
}
