package import CodecKit
import Curves
package import Model
package import Workers

/// What a sweep has to do: every image with every variant at every quality, and what a strategy asks for besides.
///
/// The points are never listed as a whole: with a hundred thousand images they would not fit. The runner
/// makes an image's points when it comes to the image.
package struct SweepPlan: Sendable {
  /// The images, in the order of the tables.
  package var entries: [CorpusEntry]
  /// The variants, in the order of the tables, with the versions of the libraries behind each.
  package var variants: [VariantDescription] {
    didSet { librariesInKeys = variants.map(\.librariesInKey) }
  }
  /// The variants' libraries as keys have them, in the same order: every image asks for them.
  private var librariesInKeys: [String]
  /// The qualities, ascending; none where a target is searched for.
  package var qualities: [Quality]
  /// What is measured beside these qualities; nil keeps to them.
  package var refinement: RefinementStrategy?
  /// What is searched for in place of a grid; nil measures qualities.
  package var target: TargetStrategy?
  /// What is measured of every image first; nil measures image by image.
  package var coarse: CoarseStrategy?
  /// How images are prepared.
  package var preparation: Preparation {
    didSet { preparationInKey = preparation.canonicalSpelling }
  }
  /// The preparation as keys have it, of which there is one for every point.
  private var preparationInKey: String
  /// Identifiers of the metrics to score.
  package var metrics: [String]
  /// How often each encode and decode is timed.
  package var repeats: Int

  /// Makes a plan.
  package init(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: [Quality],
    refinement: RefinementStrategy? = nil, target: TargetStrategy? = nil, coarse: CoarseStrategy? = nil,
    preparation: Preparation, metrics: [String], repeats: Int = 1
  ) {
    self.entries = entries
    self.variants = variants
    librariesInKeys = variants.map(\.librariesInKey)
    self.qualities = qualities
    self.refinement = refinement
    self.target = target
    self.coarse = coarse
    self.preparation = preparation
    preparationInKey = preparation.canonicalSpelling
    self.metrics = metrics
    self.repeats = repeats
  }

  /// How many points the plan's grid has, finished ones included; how many searches, where a target is searched for.
  package var pointCount: Int {
    entries.count(where: { $0.problem == nil }) * variants.count * (target == nil ? qualities.count : 1)
  }

  /// Pixels that go through codecs on the plan's grid, or are expected to in its searches.
  package var pixelCount: Double {
    let headers = entries.compactMap { $0.problem == nil ? $0.header : nil }
    let points = variants.reduce(0.0) {
      $0 + (target?.expectedPoints(of: $1.variant) ?? Double(qualities.count))
    }
    return headers.reduce(0.0) { $0 + Double($1.pixelCount) } * points
  }

  /// What chooses points beside the grid.
  var strategy: (any QualityStrategy)? { target ?? refinement }
  /// The metric whose scores it goes by; nil for sizes.
  var strategyMetric: String? {
    target.map { $0.target.metric?.id } ?? refinement?.metric.id ?? coarse?.metric.id
  }

  /// Why a point of a quality is measured.
  func origin(of quality: Quality) -> PointOrigin {
    target != nil ? .searched : qualities.contains(quality) ? .grid : .refined
  }

  /// The grid's points of one image, by variant and then by ascending quality.
  package func points(of entry: CorpusEntry) -> [PointKey] {
    variants.indices.flatMap { place in
      qualities.map { point(of: entry, variantAt: place, quality: $0) }
    }
  }

  /// Whether a point of an image's grid is not finished.
  func misses(_ finished: FinishedImage) -> Bool {
    zip(variants, librariesInKeys).contains { description, libraries in
      let points = finished.points(description.variant, libraries: libraries)
      return qualities.contains { points[$0] == nil }
    }
  }

  /// A point of one image.
  package func point(of entry: CorpusEntry, _ description: VariantDescription, quality: Quality) -> PointKey {
    PointKey(
      image: entry.identity, preparation: preparationInKey, variant: description.variant,
      quality: quality, libraries: description.librariesInKey)
  }

  /// A point of one image with the variant at a place among the plan's.
  func point(of entry: CorpusEntry, variantAt place: Int, quality: Quality) -> PointKey {
    PointKey(
      image: entry.identity, preparation: preparationInKey, variant: variants[place].variant,
      quality: quality, libraries: librariesInKeys[place])
  }

  /// The points of an image with a variant among others, by quality.
  package func points<Point>(
    of entry: CorpusEntry, _ description: VariantDescription, among points: [PointKey: Point]
  ) -> [Quality: Point] {
    var known: [Quality: Point] = [:]
    for (key, point) in points where key == self.point(of: entry, description, quality: key.quality) {
      known[key.quality] = point
    }
    return known
  }

  /// The place of a setup's variant among the plan's; nil where its points cannot be the plan's. Other library versions
  /// are other points.
  func place(of setup: FinishedImage.Setup) -> Int? {
    variants.indices.first { librariesInKeys[$0] == setup.libraries && variants[$0].variant == setup.variant }
  }
}

/// Turns what was asked for into a plan.
package struct PlanBuilder: Sendable {
  private let registry: CodecRegistry
  private let builds: TriedBuilds
  private let scoresThroughBuild: Bool

  /// Plans with the codecs of `registry` and with builds of their libraries, whose files are scored through their
  /// own decoders where `scoresThroughBuild` says so.
  package init(registry: CodecRegistry, builds: TriedBuilds = .none, scoresThroughBuild: Bool = false) {
    self.registry = registry
    self.builds = builds
    self.scoresThroughBuild = scoresThroughBuild
  }

  /// Variants with the library versions behind them, in the order given, each once; those of codecs that the registry
  /// does not have are left out. Variants of builds are checked by the build's codecs.
  /// - Throws: `CodecError.invalidSetting` for a variant of a build that says what is allowed.
  package func describe(_ variants: [CodecVariant]) throws(CodecError) -> [VariantDescription] {
    var described: [VariantDescription] = []
    for variant in variants {
      let variant = try variant.build == nil ? variant : builds.variant(variant.name).variant
      guard !described.contains(where: { $0.variant == variant }), let codec = registry.codec(variant.codec)
      else { continue }
      var description = describe(variant, builds.traits(of: variant) ?? codec.traits)
      if variant.build != nil, !scoresThroughBuild { description.decoder = try decoder(codec.traits) }
      described.append(description)
    }
    return described
  }

  /// The system's libraries that score what builds of a codec write.
  private func decoder(_ traits: CodecTraits) throws(CodecError) -> [LibraryVersion] {
    guard let absence = traits.absence else { return traits.libraries }
    throw .invalidSetting(
      "\(traits.id): no library of the system scores what the build writes (\(absence)); --decoder own has the "
        + "build do it")
  }

  /// A plan over `entries`, or over a shard of them.
  /// - Parameters:
  ///   - refinement: which figures are to be exact, with the metric that they are scores of; nil measures the
  ///     qualities alone.
  ///   - target: what to search for in place of qualities; nil measures these.
  ///   - headline: the score that the first answer is for, which all images are measured around before any is
  ///     measured finely; nil measures image by image.
  ///   - background: red, green and blue under transparent pixels where alpha cannot be kept.
  ///   - downscale: how many pixels become one in each direction.
  package func plan(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: QualityList,
    refinement: (goal: Refinement, metric: MetricTraits)? = nil, target: QualityTarget? = nil,
    headline: (metric: MetricTraits, score: Double)? = nil, metrics: [String], repeats: Int = 1,
    background: [UInt8] = [255, 255, 255], downscale: Int = 1, shard: Shard? = nil
  ) -> SweepPlan {
    let supports = variants.compactMap { description in
      builds.support(for: description.variant)
        ?? registry.codec(description.variant.codec)?.support(for: description.variant)
    }
    let preparation = Preparation(for: supports, background: background, downscale: downscale)
    let refined = refinement.map { strategy($0.goal, $0.metric, variants, qualities) }
    let coarse = headline.flatMap {
      CoarseStrategy(metric: $0.metric, score: $0.score, grid: qualities.qualities, refinement: refined)
    }
    return SweepPlan(
      entries: shard?.part(of: entries) ?? entries, variants: variants, qualities: qualities.qualities,
      refinement: refined, target: target.map { search($0, variants) },
      coarse: variants.count > 1 ? coarse : nil,
      preparation: preparation, metrics: metrics, repeats: repeats)
  }

  private func search(_ target: QualityTarget, _ variants: [VariantDescription]) -> TargetStrategy {
    let scales = variants.compactMap { description in
      registry.codec(description.variant.codec).map { (description.variant, $0.traits.nativeQuality) }
    }
    return TargetStrategy(
      target: target, scales: Dictionary(scales, uniquingKeysWith: { first, _ in first }))
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
