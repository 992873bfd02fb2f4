package import Model

/// What a sweep has to do: every image with every variant at every quality.
///
/// The points are never listed as a whole: with a hundred thousand images they would not fit. The runner
/// makes an image's points when it comes to the image.
package struct SweepPlan: Sendable {
  /// The images, in the order of the tables.
  package var entries: [CorpusEntry]
  /// The variants, in the order of the tables, with the versions of the libraries behind each.
  package var variants: [VariantDescription]
  /// The qualities, ascending.
  package var qualities: [Quality]
  /// What is measured beside these qualities; nil keeps to them.
  package var refinement: RefinementStrategy?
  /// What is measured of every image first; nil measures image by image.
  package var coarse: CoarseStrategy?
  /// How images are prepared.
  package var preparation: Preparation
  /// Identifiers of the metrics to score.
  package var metrics: [String]
  /// How often each encode and decode is timed.
  package var repeats: Int

  /// Makes a plan.
  package init(
    entries: [CorpusEntry], variants: [VariantDescription], qualities: [Quality],
    refinement: RefinementStrategy? = nil, coarse: CoarseStrategy? = nil, preparation: Preparation,
    metrics: [String], repeats: Int = 1
  ) {
    self.entries = entries
    self.variants = variants
    self.qualities = qualities
    self.refinement = refinement
    self.coarse = coarse
    self.preparation = preparation
    self.metrics = metrics
    self.repeats = repeats
  }

  /// How many points the plan's grid has, finished ones included.
  package var pointCount: Int {
    entries.count(where: { $0.problem == nil }) * variants.count * qualities.count
  }

  /// Pixels that go through codecs on the plan's grid.
  package var pixelCount: Double {
    let headers = entries.compactMap { $0.problem == nil ? $0.header : nil }
    return headers.reduce(0.0) { $0 + Double($1.pixelCount) } * Double(variants.count * qualities.count)
  }

  /// The grid's points of one image, by variant and then by ascending quality.
  package func points(of entry: CorpusEntry) -> [PointKey] {
    variants.flatMap { description in
      qualities.map { point(of: entry, description, quality: $0) }
    }
  }

  /// A point of one image.
  func point(of entry: CorpusEntry, _ description: VariantDescription, quality: Quality) -> PointKey {
    PointKey(
      image: entry.identity, preparation: preparation.canonicalSpelling, variant: description.variant,
      quality: quality, libraries: description.librariesInKey)
  }

  /// Whether a point of an image can be the plan's. Other library versions are other points.
  func isPlanned(_ key: PointKey) -> Bool {
    variants.contains { $0.variant == key.variant && $0.librariesInKey == key.libraries }
  }
}
