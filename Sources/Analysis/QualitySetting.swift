package import Model

/// Quality to request from a codec for a score: the answer to “what do I set?”.
///
/// Each image's quality is read from its curve, by the same rule as bytes at that score; if the curve does not tell,
/// the lowest sufficient measured quality is used. Qualities are in hundredths, as encoders take them, rounded up.
package struct QualitySetting: Sendable, Hashable, Codable {
  package var variant: CodecVariant
  package var target: Double
  /// Images with scores, whether or not they reach this one.
  package var images: Int
  package var outOf: Int
  package var unreached = 0
  /// Quality with the score for half of the images, 0 to 1; nil if fewer ever have it, or points are too far apart.
  package var median: Double?
  package var lowest: Double
  /// Quality at which all images have the score; nil if one never has it.
  package var highest: Double?
}

struct SettingAccumulator: Sendable {
  private let targets: [Double]
  private var images = 0
  private var needed: [NeededQualities]

  init(targets: [Double]) {
    self.targets = targets
    needed = targets.map { _ in NeededQualities() }
  }

  mutating func add(
    _ columns: [VariantCurves], _ variants: [CodecVariant], headline: Int, _ metrics: [MetricTraits]
  ) {
    images += 1
    for (variant, column) in zip(variants, columns) {
      // Imported files have unknown qualities.
      let samples = column.samples.filter { $0.quality != nil }
      for (index, target) in targets.enumerated() {
        needed[index].add(variant, samples, try? column.curves[headline].get(), target, headline, metrics)
      }
    }
  }

  /// Returns the settings backed by at least one image's curve.
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
