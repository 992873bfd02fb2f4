import Analysis
package import CodecKit
package import Model
package import Pixels
package import Workers

/// The work of a sweep: every image with every variant at every quality, plus the points that a strategy requests.
///
/// The points of a hundred thousand images would not fit in memory, so the runner creates them for one image at a time.
package struct SweepPlan: Sendable {
  package var entries: [CorpusEntry]
  package var variants: [VariantDescription] {
    didSet { librariesInKeys = variants.map(\.librariesInKey) }
  }
  /// The variants' libraries as spelled in keys, in the same order; stored because every image needs them.
  private var librariesInKeys: [String]
  /// Ascending; empty in a search for a target.
  package var qualities: [Quality]
  /// Nil measures the grid's qualities only.
  package var refinement: RefinementStrategy?
  /// The target to search for instead of measuring a grid; nil measures the qualities.
  package var target: TargetStrategy?
  /// The first, coarse passes over all images; nil measures image by image.
  package var coarse: CoarseStrategy?
  package var preparation: Preparation {
    didSet { preparationInKey = preparation.canonicalSpelling }
  }
  private var preparationInKey: String
  package var metrics: [String]
  package var repeats: Int
  /// True if the qualities are additions to a grid, like the qualities to set.
  var isBesideGrid = false

  package init(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: [Quality],
    refinement: RefinementStrategy? = nil, target: TargetStrategy? = nil, coarse: CoarseStrategy? = nil,
    preparation: Preparation, metrics: [String], repeats: Int = 1
  ) {
    (self.entries, self.variants, self.qualities) = (entries, variants, qualities)
    (self.refinement, self.target, self.coarse) = (refinement, target, coarse)
    (self.preparation, self.metrics, self.repeats) = (preparation, metrics, repeats)
    librariesInKeys = variants.map(\.librariesInKey)
    preparationInKey = preparation.canonicalSpelling
  }

  /// The number of points in the grid, finished ones included, or of searches if there is a target.
  package var pointCount: Int {
    entries.count(where: { $0.problem == nil }) * variants.count * (target == nil ? qualities.count : 1)
  }

  /// Pixels that go through the codecs on the grid, or are expected to in searches.
  package var pixelCount: Double {
    let headers = entries.compactMap { $0.problem == nil ? $0.header : nil }
    let points = variants.reduce(0.0) {
      $0 + (target?.expectedPoints(of: $1.variant) ?? Double(qualities.count))
    }
    return headers.reduce(0.0) { $0 + Double($1.pixelCount) } * points
  }

  var strategy: (any QualityStrategy)? { target ?? refinement }
  /// The metric that guides the strategy; nil if the size does.
  var strategyMetric: String? {
    target.map { $0.target.metric?.id } ?? refinement?.metric.id ?? coarse?.metric.id
  }

  func origin(of quality: Quality) -> PointOrigin {
    target != nil ? .searched : !isBesideGrid && qualities.contains(quality) ? .grid : .refined
  }

  package func points(of entry: CorpusEntry) -> [Case] {
    variants.indices.flatMap { place in
      qualities.map { point(of: entry, variantAt: place, quality: $0) }
    }
  }

  /// True if a point of the image's grid is not finished.
  func misses(_ finished: FinishedImage) -> Bool {
    zip(variants, librariesInKeys).contains { description, libraries in
      let points = finished.points(description.variant, libraries: libraries)
      return qualities.contains { points[$0] == nil }
    }
  }

  package func point(of entry: CorpusEntry, _ description: VariantDescription, quality: Quality) -> Case {
    Case(
      image: entry.identity, preparation: preparationInKey, variant: description.variant, quality: quality,
      libraries: description.librariesInKey)
  }

  func point(of entry: CorpusEntry, variantAt place: Int, quality: Quality) -> Case {
    Case(
      image: entry.identity, preparation: preparationInKey, variant: variants[place].variant,
      quality: quality, libraries: librariesInKeys[place])
  }

  /// The index of a setup's variant in the plan; nil if its points do not belong to the plan, for example because of
  /// other library versions.
  func place(of setup: FinishedImage.Setup) -> Int? {
    variants.indices.first { librariesInKeys[$0] == setup.libraries && variants[$0].variant == setup.variant }
  }
}

package struct PlanBuilder: Sendable {
  private let registry: CodecRegistry
  private let builds: TriedBuilds
  private let scoresThroughBuild: Bool

  /// - Parameter scoresThroughBuild: True to score builds' files through the builds' own decoders.
  package init(registry: CodecRegistry, builds: TriedBuilds = .none, scoresThroughBuild: Bool = false) {
    (self.registry, self.builds, self.scoresThroughBuild) = (registry, builds, scoresThroughBuild)
  }

  /// Variants with their library versions, in the given order without repeats or codecs that the registry lacks. A
  /// build's codecs check the build's variants. Throws for a gain map outside an HDR run.
  package func describe(
    _ variants: [CodecVariant], isHDR: Bool = false
  ) throws(CodecError) -> [VariantDescription] {
    var described: [VariantDescription] = []
    for variant in variants {
      if !isHDR, variant.hasGainMap {
        throw .invalidSetting(
          "\(variant.name) makes HDR pictures, which an SDR run does not measure; use a sweep with --light file"
        )
      }
      let variant = try variant.build == nil ? variant : builds.variant(variant.name).variant
      guard !described.contains(where: { $0.variant == variant }), let codec = registry.codec(variant.codec)
      else { continue }
      let traits = builds.traits(of: variant) ?? codec.traits
      // The settings resolve the same way at any quality.
      let settings = EncodeSettings(variant: variant, quality: 0.0, traits: traits)
      var description = VariantDescription(
        variant: variant, libraries: traits.libraries, threads: settings.integer("threads") ?? 1)
      if variant.build != nil, !scoresThroughBuild { description.decoder = try decoder(codec.traits) }
      described.append(description)
    }
    return described
  }

  private func decoder(_ traits: CodecTraits) throws(CodecError) -> [LibraryVersion] {
    guard let absence = traits.absence else { return traits.libraries }
    throw .invalidSetting(
      "\(traits.id): no system library can decode the build's files to score them (\(absence)); use --decoder "
        + "own to decode them with the build")
  }

  /// The preparation whose rasters all variants carry unchanged.
  func preparation(
    for variants: [VariantDescription], background: [UInt8] = [255, 255, 255], downscale: Int = 1,
    light: HDRViewing? = nil
  ) -> Preparation {
    Preparation(
      for: variants.compactMap { support(for: $0.variant) }, background: background, downscale: downscale,
      light: light)
  }

  private func support(for variant: CodecVariant) -> PixelSupport? {
    builds.support(for: variant) ?? registry.codec(variant.codec)?.support(for: variant)
  }

  /// Throws for a variant with fewer bits than HDR needs; the error names a variant of the same codec that has enough.
  func requireDepth(of variants: [VariantDescription]) throws(HeicBenchError) {
    for variant in variants.map(\.variant) {
      guard let bits = support(for: variant)?.maximumBitDepth, bits < HDRCodecs.leastDepth else { continue }
      let remedy = HDRCodecs.forHDR(variant).map { "use \($0.name)" } ?? "leave it out of an HDR run"
      throw HeicBenchError(
        .usage,
        "\(variant.name) stores \(bits) bits, and HDR needs at least \(HDRCodecs.leastDepth); \(remedy)")
    }
  }

  /// A plan over `entries`, or over a shard of them. All images are measured around the first score of `headline`, then
  /// around the others, before any is measured finely; without a headline, image by image. A `target` is searched for
  /// instead of measuring the qualities.
  package func plan(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: QualityList,
    refinement: (goal: Refinement, metric: MetricTraits)? = nil, target: QualityTarget? = nil,
    headline: (metric: MetricTraits, scores: [Double])? = nil, metrics: [String], repeats: Int = 1,
    background: [UInt8] = [255, 255, 255], downscale: Int = 1, light: HDRViewing? = nil, shard: Shard? = nil
  ) -> SweepPlan {
    let preparation = preparation(
      for: variants, background: background, downscale: downscale, light: light)
    let traits = Dictionary(
      variants.compactMap { description in
        registry.codec(description.variant.codec).map { (description.variant, $0.traits) }
      }, uniquingKeysWith: { first, _ in first })
    let refined = refinement.map { goal, metric in
      RefinementStrategy(
        goal: goal, metric: metric, grid: qualities.qualities,
        scales: traits.mapValues {
          RefinementStrategy.Scale(native: $0.nativeQuality, closeness: $0.isFast ? .fine : .trusted)
        })
    }
    let coarse = headline.flatMap {
      CoarseStrategy(metric: $0.metric, scores: $0.scores, grid: qualities.qualities, refinement: refined)
    }
    return SweepPlan(
      entries: shard?.part(of: entries) ?? entries, variants: variants, qualities: qualities.qualities,
      refinement: refined,
      target: target.map { TargetStrategy(target: $0, scales: traits.mapValues(\.nativeQuality)) },
      coarse: variants.count > 1 ? coarse : nil, preparation: preparation, metrics: metrics, repeats: repeats)
  }
}
