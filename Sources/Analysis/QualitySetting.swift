internal import Curves
package import Model

/// Which quality to ask a codec for, so that its files have a score: the answer to “what do I set?”.
///
/// Each image's quality is read from its curve, under the same rule as bytes at that score; where the curve does not tell,
/// the lowest measured one that does stands in for it. Qualities are in hundredths, as encoders take them, rounded up.
package struct QualitySetting: Sendable, Hashable, Codable {
  /// The variant.
  package var variant: CodecVariant
  /// The score of the headline metric.
  package var target: Double
  /// The images that have scores, whether or not they come to this one.
  package var images: Int
  /// The usable images of the run.
  package var outOf: Int
  /// How many images have the score at no measured quality.
  package var unreached = 0
  /// The quality at which half of the images have the score, 0 to 1; nil where fewer than half ever have it, and where
  /// points are too far apart to tell.
  package var median: Double?
  /// The quality of the image that is easiest to encode.
  package var lowest: Double
  /// The quality of the hardest one, from which on all images have the score; nil where one never has it.
  package var highest: Double?
}

/// The qualities at which images have the target scores, while the images stream by.
struct SettingAccumulator: Sendable {
  private let targets: [Double]
  private var images = 0
  /// By target.
  private var needed: [NeededQualities]

  init(targets: [Double]) {
    self.targets = targets
    needed = targets.map { _ in NeededQualities() }
  }

  /// Adds an image: what it takes with each of the variants, by the metric in place `headline` of `metrics`.
  mutating func add(
    _ columns: [VariantCurves], _ variants: [CodecVariant], headline: Int, _ metrics: [MetricTraits]
  ) {
    images += 1
    for (variant, column) in zip(variants, columns) {
      // Nobody knows the qualities of imported files.
      let samples = column.samples.filter { $0.quality != nil }
      for (index, target) in targets.enumerated() {
        needed[index].add(variant, samples, try? column.curves[headline].get(), target, headline, metrics)
      }
    }
  }

  /// The settings of which at least one image's curve tells.
  func settings(_ variants: [CodecVariant]) -> [QualitySetting] {
    variants.flatMap { variant in
      zip(targets, needed).compactMap { target, needed in
        let count = needed.count(of: variant)
        guard count.interpolated > 0, let lowest = needed.quality(of: variant, share: 0) else { return nil }
        return QualitySetting(
          variant: variant, target: target, images: count.images, outOf: images, unreached: count.unreached,
          median: needed.isCoarse(variant, share: 0.5) ? nil : needed.quality(of: variant, share: 0.5),
          lowest: lowest, highest: needed.quality(of: variant, share: 1))
      }
    }
  }
}
