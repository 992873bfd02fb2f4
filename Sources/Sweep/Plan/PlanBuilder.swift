package import CodecKit
import Curves
package import Model
import Workers

/// Turns what was asked for into a plan.
package struct PlanBuilder: Sendable {
  private let registry: CodecRegistry

  /// Plans with the codecs of `registry`.
  package init(registry: CodecRegistry) { self.registry = registry }

  /// Variants with the library versions behind them, in the order given, each once; those of codecs that the registry
  /// does not have are left out.
  package func describe(_ variants: [CodecVariant]) -> [VariantDescription] {
    var described: [VariantDescription] = []
    for variant in variants where !described.contains(where: { $0.variant == variant }) {
      if let codec = registry.codec(variant.codec) { described.append(describe(variant, codec.traits)) }
    }
    return described
  }

  /// A plan over `entries`, or over a shard of them.
  /// - Parameters:
  ///   - refinement: which figures are to be exact, with the metric that they are scores of; nil measures the
  ///     qualities alone.
  ///   - background: red, green and blue under transparent pixels where alpha cannot be kept.
  ///   - downscale: how many pixels become one in each direction.
  package func plan(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: QualityList,
    refinement: (goal: Refinement, metric: MetricTraits)? = nil, metrics: [String], repeats: Int = 1,
    background: [UInt8] = [255, 255, 255], downscale: Int = 1, shard: Shard? = nil
  ) -> SweepPlan {
    let preparation = Preparation(
      for: variants.map(\.variant), registry: registry, background: background, downscale: downscale)
    return SweepPlan(
      entries: shard?.part(of: entries) ?? entries, variants: variants, qualities: qualities.qualities,
      refinement: refinement.map { strategy($0.goal, $0.metric, variants, qualities) },
      preparation: preparation, metrics: metrics, repeats: repeats)
  }

  private func strategy(
    _ goal: Refinement, _ metric: MetricTraits, _ variants: [VariantDescription], _ qualities: QualityList
  ) -> RefinementStrategy {
    let scales = variants.compactMap { description in
      registry.codec(description.variant.codec).map { codec in
        (
          description.variant,
          RefinementStrategy.Scale(
            native: codec.traits.nativeQuality, closeness: codec.traits.isFast ? .fine : .trusted)
        )
      }
    }
    return RefinementStrategy(
      goal: goal, metric: metric, grid: qualities.qualities,
      scales: Dictionary(scales, uniquingKeysWith: { first, _ in first }))
  }

  private func describe(_ variant: CodecVariant, _ traits: CodecTraits) -> VariantDescription {
    // Any quality resolves the settings alike.
    let settings = Quality(thousandths: 0).map {
      EncodeSettings(variant: variant, quality: $0, traits: traits)
    }
    return VariantDescription(
      variant: variant, libraries: traits.libraries, threads: settings?.integer("threads") ?? 1)
  }
}
