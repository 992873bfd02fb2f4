package import Model

/// What a sweep has to do: every image with every variant at every quality, and what a strategy asks for besides.
///
/// The points are never listed as a whole: with a hundred thousand images they would not fit. The runner
/// makes an image's points when it comes to the image.
package struct SweepPlan: Sendable {
  /// The images, in the order of the tables.
  package var entries: [CorpusEntry]
  /// The variants, in the order of the tables, with the versions of the libraries behind each.
  package var variants: [VariantDescription]
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
    variants.flatMap { description in
      qualities.map { point(of: entry, description, quality: $0) }
    }
  }

  /// Whether a point of an image's grid is not finished.
  func misses(_ finished: FinishedImage) -> Bool {
    variants.contains { description in
      let points = finished.points(description.variant, libraries: description.librariesInKey)
      return qualities.contains { points[$0] == nil }
    }
  }

  /// A point of one image.
  package func point(of entry: CorpusEntry, _ description: VariantDescription, quality: Quality) -> PointKey {
    PointKey(
      image: entry.identity, preparation: preparationInKey, variant: description.variant,
      quality: quality, libraries: description.librariesInKey)
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

  /// Whether a point of an image can be the plan's. Other library versions are other points.
  func isPlanned(_ variant: CodecVariant, libraries: String) -> Bool {
    variants.contains { $0.variant == variant && $0.librariesInKey == libraries }
  }
}
