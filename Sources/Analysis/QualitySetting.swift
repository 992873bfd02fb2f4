internal import Curves
package import Model

/// Which quality to ask a codec for, so that its files have a score: the answer to “what do I set?”.
///
/// Each image's quality is read from its curve, under the same rule as bytes at that score.
package struct QualitySetting: Sendable, Hashable, Codable {
  /// The variant.
  package var variant: CodecVariant
  /// The score of the headline metric.
  package var target: Double
  /// The images that it stands on.
  package var images: Int
  /// The usable images of the run.
  package var outOf: Int
  /// The median of the images' qualities, 0 to 1.
  package var median: Double
  /// The lowest of them: the quality of the image that is easiest to encode.
  package var lowest: Double
  /// The highest of them: from here on all images have the score.
  package var highest: Double
}

/// The qualities at which images have the target scores, while the images stream by.
struct SettingAccumulator: Sendable {
  private let targets: [Double]
  private var images = 0
  /// By variant, then by target.
  private var qualities: [[BlockArray<Float>]] = []

  init(targets: [Double]) { self.targets = targets }

  /// Adds an image. `curves` are those of the headline metric by variant, `position` is where a target stands on
  /// them.
  mutating func add(
    _ curves: [Result<RateQualityCurve, CurveProblem>], position: (Double) -> Double
  ) {
    images += 1
    while qualities.count < curves.count { qualities.append(targets.map { _ in BlockArray() }) }
    for (variant, curve) in curves.enumerated() {
      guard let curve = try? curve.get() else { continue }
      for (index, target) in targets.enumerated() {
        // Sizes and scores near the ends of their types have curves that are no numbers.
        guard let quality = curve.quality(at: position(target)), quality.isFinite else { continue }
        qualities[variant][index].append(Float(quality))
      }
    }
  }

  /// The settings that stand on at least one image.
  func settings(_ variants: [CodecVariant]) -> [QualitySetting] {
    zip(variants, qualities).flatMap { variant, qualities in
      zip(targets, qualities).compactMap { target, values in
        guard let median = Bootstrap.median(values), let lowest = values.min(),
          let highest = values.max()
        else { return nil }
        return QualitySetting(
          variant: variant, target: target, images: values.count, outOf: images, median: median,
          lowest: Double(lowest), highest: Double(highest))
      }
    }
  }
}
